/** Candidates that try to reach the host, the network or other processes. */
import { calls, exited, none, possible, python, writes, type Attack } from './attack-kit.js';

export const host: readonly Attack[] = [
  {
    name: 'writes outside /tmp',
    code: writes('/x', '/etc/passwd', '/usr/bin/node', '/usr/bin/x', '/dev/shm/x', '/dev/mqueue/x', '/dev/x', '/run/x', '/sys/x'),
    ends: exited,
    gives: [none],
  },
  {
    name: 'writes to /proc',
    code: writes(
      '/proc/sys/kernel/core_pattern',
      '/proc/sysrq-trigger',
      '/proc/1/oom_score_adj',
      '/proc/self/uid_map',
      '/proc/x',
    ),
    ends: exited,
    gives: [none],
  },
  {
    name: 'network',
    code: possible(
      "'tcp': lambda: socket.create_connection(('1.1.1.1', 53), 1), 'udp': lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM), " +
        "'unix': lambda: socket.socket(socket.AF_UNIX), 'name': lambda: socket.getaddrinfo('localhost', 80), 'raw': lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    ),
    ends: exited,
    gives: [none],
  },
  {
    name: 'metadata address',
    code: possible("'metadata': lambda: socket.create_connection(('169.254.169.254', 80), 1)"),
    ends: exited,
    gives: [none],
  },
  {
    name: 'network of Node',
    language: 'javascript',
    code: 'const solve = () => new Promise((done) => require("node:net").connect(80, "169.254.169.254").on("error", (e) => done(e.code)).on("connect", () => done("connected")));',
    ends: exited,
    gives: [/^returned "E(PERM|ACCES)"/],
  },
  {
    name: 'setuid',
    code: possible(
      "'setuid': lambda: os.setuid(0), 'setgid': lambda: os.setgid(0), 'setgroups': lambda: os.setgroups([0]), 'chown': lambda: os.chown('/tmp', 0, 0)",
    ),
    ends: exited,
    gives: [none],
  },
  {
    name: 'ptrace and other forbidden calls',
    code: calls({
      ptrace: '101, 16, 1, 0, 0',
      process_vm_readv: '310, 1, 0, 0, 0, 0, 0',
      unshare: '272, 0x10000000',
      mount: '165, 0, 0, 0, 0, 0',
      io_uring_setup: '425, 1, 0',
      bpf: '321, 0, 0, 0',
      keyctl: '250, 0, 0, 0, 0, 0',
      perf_event_open: '298, 0, 0, 0, 0, 0',
      memfd_create: '319, b"x", 0',
      userfaultfd: '323, 0',
      chroot: '161, b"/tmp"',
      clone_new_user: '56, 0x10000011, 0, 0, 0, 0',
    }),
    ends: exited,
    gives: [none],
  },
  {
    name: 'a program in /tmp',
    code: python('open("/tmp/x", "w").write("#!/usr/bin/python3")\nos.chmod("/tmp/x", 0o4755)\nos.execv("/tmp/x", ["x"])'),
    ends: exited,
    gives: [/^raised PermissionError/],
  },
  {
    name: 'symlinks in /tmp',
    code: possible(
      "'shadow': lambda: (os.symlink('/etc/shadow', '/tmp/a'), write('/tmp/a')), 'host': lambda: (os.symlink('/proc/1/root/etc/passwd', '/tmp/b'), write('/tmp/b')), " +
        "'up': lambda: (os.symlink('../../../../etc', '/tmp/c'), write('/tmp/c/x')), 'init': lambda: (os.symlink('/run/podman-init', '/tmp/d'), write('/tmp/d'))",
    ),
    ends: exited,
    gives: [none],
  },
  {
    name: 'kill of the first process',
    code: python('os.kill(1, signal.SIGKILL)\nreturn 1'),
    ends: exited,
    gives: [/^(returned 1|raised)/],
  },
  {
    name: 'kill of every process',
    code: python('os.kill(-1, signal.SIGKILL)\ntime.sleep(9)'),
    ends: ['killed', 'deadline', 'exited'],
    gives: [/^/],
  },
  {
    name: 'variables of the agent',
    code: python('return sorted(os.environ)'),
    ends: exited,
    gives: [/^returned (?!.*(?:SECRET|PROXY|proxy|KEY|TOKEN|AGENT))/],
  },
];
