// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A token of the tests of holdings: it says of itself whatever its maker likes.
contract HeldToken {
    string public name;
    uint256 stated;
    uint256 public totalSupply;
    mapping(address => uint256) balances;
    /// 0: honest; 1: balanceOf reverts; 2: it burns all gas; 3: it returns two words; 4: decimals burns all gas.
    uint8 public mode;

    constructor(string memory name_, uint256 decimals_, uint256 supply, address holder, uint256 balance, uint8 mode_) {
        (name, stated, totalSupply, mode) = (name_, decimals_, supply, mode_);
        balances[holder] = balance;
    }

    function decimals() external view returns (uint256) {
        while (mode == 4) {}
        return stated;
    }

    function balanceOf(address holder) external view returns (uint256) {
        if (mode == 1) revert("none of yours");
        while (mode == 2) {}
        if (mode == 3) assembly { mstore(0, 7) return(0, 64) }
        return balances[holder];
    }
}
