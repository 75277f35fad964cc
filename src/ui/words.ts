import { shortUser, type TraceSummary } from '../explain/trace/trace-summary.ts';

/** `0.4 ms`, `12 ms`, `1.3 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(milliseconds >= 10_000 ? 0 : 1)} s`;
  return milliseconds >= 10 ? `${milliseconds.toFixed(0)} ms` : `${milliseconds.toFixed(1)} ms`;
}

/** `14:03:27.041` in the reader's time zone. */
export function clockTime(instant: number): string {
  const date = new Date(instant);
  const two = (number: number): string => String(number).padStart(2, '0');
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
}

/** `shop/web`, or the name alone. */
export const objectName = ({
  namespace,
  name,
  resource,
}: Pick<TraceSummary, 'namespace' | 'name' | 'resource'>): string => {
  const shown = name === '' ? '–' : name;
  return namespace === '' || resource === 'namespaces' ? shown : `${namespace}/${shown}`;
};

/** `replicaset-controller`: of a service account its own name. */
export const accountName = (user: string): string => shortUser(user).split('/').at(-1) ?? user;

export const plural = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
