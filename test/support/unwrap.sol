// SPDX-License-Identifier: MIT
pragma solidity 0.8.20;

// A wrapped coin with the events of WETH9, and a router that takes liquidity out and pays the coin unwrapped, as Uniswap's
// removeLiquidityETH does.

contract WrappedCoin {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Deposit(address indexed to, uint256 value);
    event Withdrawal(address indexed from, uint256 value);

    string public constant name = "Wrapped Coin";
    string public constant symbol = "WCOIN";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function totalSupply() external view returns (uint256) {
        return address(this).balance;
    }

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        balanceOf[msg.sender] -= value;
        emit Withdrawal(msg.sender, value);
        (bool sent,) = msg.sender.call{value: value}("");
        require(sent);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

interface Pair {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function burn(address to) external returns (uint256, uint256);
}

interface Token {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

contract Remover {
    receive() external payable {}

    function removeCoins(address pair, address token, address wrapped, uint256 liquidity, address payable to) external {
        Pair(pair).transferFrom(msg.sender, pair, liquidity);
        Pair(pair).burn(address(this));
        Token(token).transfer(to, Token(token).balanceOf(address(this)));
        uint256 coins = WrappedCoin(wrapped).balanceOf(address(this));
        WrappedCoin(wrapped).withdraw(coins);
        (bool sent,) = to.call{value: coins}("");
        require(sent);
    }
}
