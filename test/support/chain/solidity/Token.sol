// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.37;

/// An ERC-20 token with what tests need of it: anybody mints, one transaction may transfer several times, and `decimals` can be changed.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf;
    uint8 private unlike18;

    function decimals() external view returns (uint8) {
        return 18 + unlike18;
    }

    function setUnlike18(uint8 difference) external {
        unlike18 = difference;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) public returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function transferTwice(address to, uint256 value) external {
        transfer(to, value);
        transfer(to, value);
    }

    function transferAndFail(address to, uint256 value) external {
        transfer(to, value);
        revert("after the transfer");
    }
}
