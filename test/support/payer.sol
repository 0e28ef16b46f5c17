// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;
interface Token { function transfer(address to, uint256 amount) external returns (bool); }
interface Pool { function token0() external view returns (address); function token1() external view returns (address); }
/// Calls a pool for anybody and pays what its callback asks for.
contract Payer {
    function run(address target, bytes calldata data) external returns (bytes memory) {
        (bool ok, bytes memory out) = target.call(data);
        if (!ok) assembly { revert(add(out, 32), mload(out)) }
        return out;
    }
    fallback() external {
        (int256 a, int256 b) = abi.decode(msg.data[4:68], (int256, int256));
        if (a > 0) Token(Pool(msg.sender).token0()).transfer(msg.sender, uint256(a));
        if (b > 0) Token(Pool(msg.sender).token1()).transfer(msg.sender, uint256(b));
    }
}
