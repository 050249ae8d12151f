/** The limits of a container in which a candidate runs, and of the commands that start it. */

/** CPU time of a run in s, by SANDBOX_CPU_SEC. */
export const sandbox_cpu_s_default = 2;
export const sandbox_cpu_s_max = 60;
/** The time from the signal that a candidate can catch to the one that it cannot, in s of CPU time. */
export const sandbox_cpu_grace_s = 1;
/** Memory in MiB, swap included, by SANDBOX_MEM_MB. */
export const sandbox_mem_mb_default = 256;
export const sandbox_mem_mb_min = 64;
export const sandbox_mem_mb_max = 4_096;
/** Processes and threads. */
export const sandbox_pids_max = 64;
/**
 * The limit on the processes of one user. It is above `sandbox_pids_max`, because it also counts other containers, and because the self-test
 * must see that the container's own limit holds.
 */
export const sandbox_user_processes_max = 512;
export const sandbox_open_files_max = 256;
/** The largest file, and all files together, in MiB. */
export const sandbox_files_mb_max = 16;
export const sandbox_locked_memory_bytes_max = 65_536;
/** User and group in the container. */
export const sandbox_uid = 10_001;

/** Wall-clock time of a run: a part for its start, a part for each case, and a maximum. */
export const sandbox_start_ms_max = 15_000;
export const sandbox_case_ms_max = 2_000;
export const sandbox_run_ms_max = 120_000;
/** Output of a run, the candidate's prints included. */
export const sandbox_output_bytes_max = 1_048_576;

/** Time for a command of the engine that starts no candidate. */
export const engine_command_ms_max = 30_000;
/** Time for the client to end after its container was killed. */
export const engine_stop_grace_ms = 10_000;
/** Time for which a sandbox that passed its self-test is used without another one. */
export const sandbox_trust_ms = 600_000;
/** Wall-clock time of the self-test: some hundred ms, and more on a busy machine. */
export const self_test_ms_max = 60_000;
/**
 * CPU time of the self-test in s: all that its wall-clock time allows. To fill memory that the host of a virtual machine has not provided yet
 * can take longer than a candidate may compute.
 */
export const self_test_cpu_s = 60;
/** Memory of the self-test in MiB. It must fill all of it, so this does not follow SANDBOX_MEM_MB: an engine that keeps one limit keeps others. */
export const self_test_mem_mb = 128;
/** Processes that the self-test tries to begin. */
export const self_test_processes_max = 200;
