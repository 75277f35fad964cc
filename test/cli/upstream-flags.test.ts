import { expect, test } from 'vitest';
import { sortUpstreamFlags } from '../../src/cli/serve/upstream-flags.ts';

// Source: kube-apiserver --help of v1.36.2; pflag: a boolean takes its value only after an equals sign.
test.each([
  { args: ['--etcd-compaction-interval=5m'], kept: [], meaningless: ['etcd-compaction-interval'] },
  {
    args: ['--etcd-compaction-interval', '5m', '--secure-port', '0'],
    kept: ['--secure-port', '0'],
    meaningless: ['etcd-compaction-interval'],
  },
  { args: ['--profiling', '--secure-port=0'], kept: ['--secure-port=0'], meaningless: ['profiling'] },
  { args: ['--watch-cache=false', '--v=2'], kept: ['--v=2'], meaningless: ['watch-cache'] },
  { args: ['--authorization-mode', 'RBAC'], kept: ['--authorization-mode', 'RBAC'], meaningless: [] },
  { args: ['--no-such-flag', 'x'], kept: ['--no-such-flag', 'x'], meaningless: [] },
  { args: ['--', '--profiling'], kept: ['--', '--profiling'], meaningless: [] },
  { args: ['--help'], kept: ['--help'], meaningless: [] },
  { args: ['--audit-log-mode'], kept: [], meaningless: ['audit-log-mode'] },
])('$args', ({ args, kept, meaningless }) => {
  expect(sortUpstreamFlags(args)).toEqual({ args: kept, meaningless });
});
