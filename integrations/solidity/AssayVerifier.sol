// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// The one function of an EAS contract that is read: when an attester revoked an off-chain attestation; 0 if never.
interface IEasRevocations {
    function getRevokeOffchain(address revoker, bytes32 uid) external view returns (uint64);
}

/// Checks published ratings of Assay: EAS off-chain attestations (version 2) of one schema, signed by keys that the owner trusts.
/// The service is not asked. A record holds on one chain and for one asset, from its time to its end, until it is revoked.
contract AssayVerifier {
    struct Attestation {
        bytes32 schema;
        address recipient;
        uint64 time;
        uint64 expirationTime;
        bool revocable;
        bytes32 refUID;
        bytes data;
        bytes32 salt;
    }

    struct Signature {
        bytes32 r;
        bytes32 s;
        uint8 v;
    }

    struct Rating {
        bytes32 asset; // SHA-256 of the CAIP-19 id
        uint8 band; // 0 is AAA, 9 is D
        uint16 score; // tenths of a point
        uint16 trust; // tenths of a point
        uint64 asOf; // milliseconds since the epoch
        bytes32 record; // SHA-256 of the published record
    }

    error NotOwner();
    error WrongSchema();
    error NotYetValid();
    error Expired();
    error Revoked();
    error Malformed();
    error UntrustedSigner();

    event SignerChanged(address indexed signer, bool trusted);
    event RevokedBefore(bytes32 indexed asset, uint64 notBefore);
    event OwnerChanged(address indexed owner);

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant ATTEST_TYPE = keccak256(
        "Attest(uint16 version,bytes32 schema,address recipient,uint64 time,uint64 expirationTime,bool revocable,bytes32 refUID,bytes data,bytes32 salt)"
    );
    bytes32 private constant REVOKE_TYPE = keccak256("Revoke(bytes32 schema,bytes32 asset,uint64 notBefore)");
    /// UID that the EAS SchemaRegistry gives the schema without a resolver, revocable.
    bytes32 public constant SCHEMA = keccak256(
        abi.encodePacked(
            "bytes32 asset,uint8 band,uint16 score,uint16 trust,uint64 asOf,bytes32 record", address(0), true
        )
    );
    /// Half of the order of secp256k1: of two signatures that are possible, only the one with the lower `s` passes.
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    address public owner;
    address public immutable eas;
    bytes32 private immutable nameHash = keccak256("EAS Attestation");
    bytes32 private immutable versionHash;
    /// Addresses of `attestation_keys` that the owner trusts.
    mapping(address signer => bool) public trusted;
    /// Records of an asset that are dated before this (milliseconds since the epoch) are void. It only rises.
    mapping(bytes32 asset => uint64) public notBefore;

    /// `easContract`, `easVersion`: `verifyingContract` and `version` of the domain of the records on this chain.
    constructor(address easContract, string memory easVersion, address signer) {
        owner = msg.sender;
        eas = easContract;
        versionHash = keccak256(bytes(easVersion));
        trusted[signer] = true;
        emit SignerChanged(signer, true);
    }

    /// Takes a key up or out of trust: at a rotation, the new one in, the old one out once its records are expired.
    function setSigner(address signer, bool isTrusted) external {
        if (msg.sender != owner) revert NotOwner();
        trusted[signer] = isTrusted;
        emit SignerChanged(signer, isTrusted);
    }

    function setOwner(address next) external {
        if (msg.sender != owner) revert NotOwner();
        owner = next;
        emit OwnerChanged(next);
    }

    /// Brings a line of the list of revocations; anybody may. A line that says less than is known changes nothing.
    function revokeBefore(bytes32 asset, uint64 before, Signature calldata signature) external {
        _requireTrusted(keccak256(abi.encode(REVOKE_TYPE, SCHEMA, asset, before)), signature);
        _raise(asset, before);
    }

    /// The rating that a record holds; reverts, with the reason, when the record must not be relied on.
    function check(Attestation calldata a, Signature calldata signature) public view returns (Rating memory rating) {
        if (a.schema != SCHEMA) revert WrongSchema();
        // A record without an end, for one recipient or about another attestation is none that Assay signs.
        if (a.data.length != 192 || a.recipient != address(0) || a.refUID != 0 || !a.revocable) revert Malformed();
        if (a.time > block.timestamp) revert NotYetValid();
        if (a.expirationTime <= block.timestamp) revert Expired();
        bytes memory head =
            abi.encode(ATTEST_TYPE, uint16(2), a.schema, a.recipient, a.time, a.expirationTime, a.revocable);
        bytes32 body = keccak256(bytes.concat(head, abi.encode(a.refUID, keccak256(a.data), a.salt)));
        address signer = _requireTrusted(body, signature);
        rating = abi.decode(a.data, (Rating));
        if (rating.asOf < notBefore[rating.asset]) revert Revoked();
        if (eas.code.length != 0 && IEasRevocations(eas).getRevokeOffchain(signer, uidOf(a)) != 0) revert Revoked();
    }

    /// As `check`, and remembers the rating's time: an older record of the asset never passes again.
    function accept(Attestation calldata a, Signature calldata signature) external returns (Rating memory rating) {
        rating = check(a, signature);
        _raise(rating.asset, rating.asOf);
    }

    /// UID of the record, as the EAS SDK computes it: the schema's UID goes in as text.
    function uidOf(Attestation calldata a) public pure returns (bytes32) {
        bytes memory head = abi.encodePacked(uint16(2), _text(a.schema), a.recipient, address(0), a.time);
        bytes memory tail = abi.encodePacked(a.expirationTime, a.revocable, a.refUID, a.data, a.salt, uint32(0));
        return keccak256(bytes.concat(head, tail));
    }

    function _raise(bytes32 asset, uint64 before) private {
        if (before <= notBefore[asset]) return;
        notBefore[asset] = before;
        emit RevokedBefore(asset, before);
    }

    function _requireTrusted(bytes32 body, Signature calldata signature) private view returns (address signer) {
        // Computed at each call: after a fork the records of the other chain do not hold here.
        bytes32 domain = keccak256(abi.encode(DOMAIN_TYPE, nameHash, versionHash, block.chainid, eas));
        if (uint256(signature.s) > HALF_ORDER) revert Malformed();
        signer = ecrecover(
            keccak256(abi.encodePacked(hex"1901", domain, body)), signature.v, signature.r, signature.s
        );
        if (signer == address(0) || !trusted[signer]) revert UntrustedSigner();
    }

    function _text(bytes32 value) private pure returns (bytes memory out) {
        bytes16 digits = "0123456789abcdef";
        out = new bytes(66);
        (out[0], out[1]) = ("0", "x");
        for (uint256 i = 0; i < 32; i++) {
            out[2 + 2 * i] = digits[uint8(value[i]) >> 4];
            out[3 + 2 * i] = digits[uint8(value[i]) & 15];
        }
    }
}
