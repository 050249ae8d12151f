// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.37;

/// What a contract does with a plan: it keeps the root, takes a job with its proof, and folds the proof by sorted pairs, the rule of
/// OpenZeppelin's MerkleProof. Nothing here is shared with the code under test.
contract PlanVerifier {
    struct Job {
        string goal;
        string successMetric;
        uint256 bounty;
        uint256 duration;
        uint256 priceWeight;
    }

    function leafOf(uint256 index, Job calldata job) public pure returns (bytes32) {
        bytes memory words = abi.encode(
            index,
            keccak256(bytes(job.goal)),
            keccak256(bytes(job.successMetric)),
            job.bounty,
            job.duration,
            job.priceWeight
        );
        return keccak256(bytes.concat(keccak256(words)));
    }

    function fold(bytes32 node, bytes32[] calldata proof) public pure returns (bytes32) {
        for (uint256 i = 0; i < proof.length; i++) {
            bytes32 other = proof[i];
            node = node < other ? keccak256(abi.encodePacked(node, other)) : keccak256(abi.encodePacked(other, node));
        }
        return node;
    }

    function isInPlan(bytes32 root, uint256 index, Job calldata job, bytes32[] calldata proof) external pure returns (bool) {
        return fold(leafOf(index, job), proof) == root;
    }

    function isLeafOf(bytes32 root, bytes32 leaf, bytes32[] calldata proof) external pure returns (bool) {
        return fold(leaf, proof) == root;
    }

    function hashOf(bytes calldata file) external pure returns (bytes32) {
        return keccak256(file);
    }
}
