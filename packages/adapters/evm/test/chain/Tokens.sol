// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A stablecoin as they are: anybody may mint this one, and its owner's powers are anybody's, too.
contract Token {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory symbol_, uint8 decimals_) {
        name = symbol_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) public virtual returns (bool) {
        require(balanceOf[msg.sender] >= value, "transfer amount exceeds balance");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// One that can be paused, and that refuses some addresses.
contract StrictToken is Token {
    bool public paused;
    mapping(address => bool) public blacklisted;

    constructor(string memory symbol_, uint8 decimals_) Token(symbol_, decimals_) {}

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function setBlacklisted(address account, bool refused) external {
        blacklisted[account] = refused;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        require(!paused, "paused");
        require(!blacklisted[msg.sender] && !blacklisted[to], "blacklisted");
        return super.transfer(to, value);
    }
}

/// Pays one address several times in one transaction, out of its own balance.
contract BatchPayer {
    function pay(Token token, address to, uint256[] calldata values) external {
        for (uint256 i = 0; i < values.length; i++) token.transfer(to, values[i]);
    }
}
