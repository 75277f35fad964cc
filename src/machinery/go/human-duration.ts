const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** A duration for people: `45s`, `2m30s`, `5h`, `3d4h`, `2y`. Follows apimachinery pkg/util/duration/duration.go HumanDuration. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>'; // Clocks may differ slightly.
  if (seconds < 0) return '0s';
  const scale = scales.find(({ below }) => seconds < below);
  return scale ? scale.print(seconds) : `${Math.trunc(seconds / year)}y`;
}

interface Scale {
  readonly below: number;
  readonly print: (seconds: number) => string;
}

const whole =
  (unit: number, name: string) =>
  (seconds: number): string =>
    `${Math.trunc(seconds / unit)}${name}`;

/** `2m30s`, or `2m` when nothing is left over. */
const pair =
  ([big, bigName]: Unit, [small, smallName]: Unit) =>
  (seconds: number): string => {
    const rest = Math.trunc((seconds % big) / small);
    return `${Math.trunc(seconds / big)}${bigName}${rest === 0 ? '' : `${rest}${smallName}`}`;
  };

type Unit = readonly [seconds: number, name: string];

const scales: readonly Scale[] = [
  { below: 2 * minute, print: whole(1, 's') },
  { below: 10 * minute, print: pair([minute, 'm'], [1, 's']) },
  { below: 3 * hour, print: whole(minute, 'm') },
  { below: 8 * hour, print: pair([hour, 'h'], [minute, 'm']) },
  { below: 2 * day, print: whole(hour, 'h') },
  { below: 8 * day, print: pair([day, 'd'], [hour, 'h']) },
  { below: 2 * year, print: whole(day, 'd') },
  { below: 8 * year, print: pair([year, 'y'], [day, 'd']) },
];
