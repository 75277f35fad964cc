import type { Family, Sample } from './family.ts';

/** What Go's process collector also says, under the same names. */
export const processFamilies = (): readonly Family[] => [
  {
    name: 'process_cpu_seconds_total',
    help: 'User and system time of the process, in seconds.',
    type: 'counter',
    samples: () => {
      const { user, system } = process.cpuUsage();
      return single((user + system) / 1e6);
    },
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, in bytes.',
    type: 'gauge',
    samples: () => single(process.memoryUsage.rss()),
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    type: 'gauge',
    samples: () => single(performance.timeOrigin / 1000),
  },
];

const single = (value: number): readonly Sample[] => [{ suffix: '', labels: {}, value }];
