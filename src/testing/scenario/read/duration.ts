const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `1m30s` in milliseconds. The schema has checked the format. */
export const durationMs = (text: string): number =>
  [...text.matchAll(/(?<amount>(?<!\d)\d+(?:\.\d+)?)(?<unit>ms|s|m|h)/g)].reduce(
    (sum, { groups = {} }) => sum + Number(groups['amount']) * (units[groups['unit'] ?? ''] ?? 0),
    0,
  );
