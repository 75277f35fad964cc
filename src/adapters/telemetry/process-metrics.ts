import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Names of Go's process collector. */
const gauges = [
  {
    name: 'process_cpu_seconds_total',
    help: 'User and system time of the process, in seconds.',
    value: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of the process, in bytes.',
    value: () => process.memoryUsage.rss(),
  },
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    value: () => performance.timeOrigin / 1000,
  },
];

export function addProcessMetrics(registry: Registry): void {
  for (const { name, help, value } of gauges) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(value()) });
  }
}
