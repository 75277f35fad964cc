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

const oneUnit =
  (unit: number, name: string) =>
  (seconds: number): string =>
    `${Math.trunc(seconds / unit)}${name}`;

/** `2m30s`, or `2m` when nothing is left over. */
const twoUnits =
  ([big, bigName]: Unit, [small, smallName]: Unit) =>
  (seconds: number): string => {
    const rest = Math.trunc((seconds % big) / small);
    return `${Math.trunc(seconds / big)}${bigName}${rest === 0 ? '' : `${rest}${smallName}`}`;
  };

type Unit = readonly [seconds: number, name: string];

const scales: readonly Scale[] = [
  { below: 2 * minute, print: oneUnit(1, 's') },
  { below: 10 * minute, print: twoUnits([minute, 'm'], [1, 's']) },
  { below: 3 * hour, print: oneUnit(minute, 'm') },
  { below: 8 * hour, print: twoUnits([hour, 'h'], [minute, 'm']) },
  { below: 2 * day, print: oneUnit(hour, 'h') },
  { below: 8 * day, print: twoUnits([day, 'd'], [hour, 'h']) },
  { below: 2 * year, print: oneUnit(day, 'd') },
  { below: 8 * year, print: twoUnits([year, 'y'], [day, 'd']) },
];
