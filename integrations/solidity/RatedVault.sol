// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {AssayVerifier} from "./AssayVerifier.sol";

/// An example: takes deposits only while the asset that it is about has a fresh rating of at least a band.
/// Withdrawals need no rating: nobody is locked in by a missing one.
contract RatedVault {
    error WrongAsset();
    error BandTooLow();
    error TrustTooLow();
    error TooOld();
    error NotPaid();

    AssayVerifier public immutable verifier;
    bytes32 public immutable asset;
    /// The worst band that is accepted: 3 is BBB.
    uint8 public immutable worstBand;
    /// Least trust, in tenths of a point.
    uint16 public immutable leastTrust;
    /// Seconds since the rating, at most; shorter than the record's own end where that is wished.
    uint64 public immutable maxAge;
    mapping(address holder => uint256) public deposits;

    constructor(AssayVerifier verifier_, bytes32 asset_, uint8 worstBand_, uint16 leastTrust_, uint64 maxAge_) {
        verifier = verifier_;
        asset = asset_;
        worstBand = worstBand_;
        leastTrust = leastTrust_;
        maxAge = maxAge_;
    }

    function deposit(AssayVerifier.Attestation calldata a, AssayVerifier.Signature calldata signature) external payable {
        AssayVerifier.Rating memory rating = verifier.accept(a, signature);
        if (rating.asset != asset) revert WrongAsset();
        if (rating.band > worstBand) revert BandTooLow();
        if (rating.trust < leastTrust) revert TrustTooLow();
        if (uint256(rating.asOf) / 1000 + maxAge < block.timestamp) revert TooOld();
        deposits[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) external {
        deposits[msg.sender] -= amount;
        (bool paid,) = msg.sender.call{value: amount}("");
        if (!paid) revert NotPaid();
    }
}
