// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// An account that is a contract, for the tests of appeals: two of its keys sign (EIP-1271), or it does what it should not.
contract ContractOwner {
    address[2] public keys;
    /// 0: honest; 1: takes everything; 2: reverts; 3: burns all gas; 4: the magic value and rubbish behind it; 5: a megabyte; 6: true.
    uint8 public mode;

    constructor(address first, address second, uint8 mode_) {
        (keys[0], keys[1], mode) = (first, second, mode_);
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (mode == 1) return 0x1626ba7e;
        if (mode == 2) revert("no");
        while (mode == 3) {}
        if (mode == 4) assembly { mstore(0, or(shl(224, 0x1626ba7e), 1)) return(0, 32) }
        if (mode == 5) assembly { return(0, 1000000) }
        if (mode == 6) assembly { mstore(0, 1) return(0, 32) }
        if (signature.length != 130) return 0xffffffff;
        for (uint256 i = 0; i < 2; i++) {
            bytes calldata one = signature[i * 65:i * 65 + 65];
            if (ecrecover(hash, uint8(one[64]), bytes32(one[:32]), bytes32(one[32:64])) != keys[i]) return 0xffffffff;
        }
        return 0x1626ba7e;
    }
}
