/** A number as `%v` prints it; one that does not fit an int64 is a float64. Follows go src/fmt/format.go. */
export const printNumber = (value: number | bigint): string =>
  isInt64(value) ? String(value) : printFloat(Number(value));

/** Does Go's decoder read the number as an integer? Decided by size, since 1e3 and 1000 are the same here. */
export const isInt64 = (value: number | bigint): boolean =>
  typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < 2 ** 63);

/** A float64 as `%v` prints it: Go uses exponents sooner than JavaScript, with two digits. */
export function printFloat(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
