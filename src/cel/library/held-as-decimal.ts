const binaryPowers = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalPowers: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/**
 * Does Go hold the quantity of this text as a decimal of any size, rather than as a 64-bit integer with a scale? It
 * does so for long numbers, binary fractions and more than nine decimals. Follows apimachinery pkg/api/resource/quantity.go.
 */
export function isHeldAsDecimal(text: string): boolean {
  const [, digits = '', fraction = '', suffix = ''] = /^[-+]?(\d*)(?:\.(\d*))?([^]*)/.exec(text) ?? [];
  const whole = digits.replace(/^0+/, '') || '0';
  const binary = binaryPowers.indexOf(suffix) + 1;
  if (binary > 0) return fraction !== '' || 15 - whole.length - binary * 3 - 1 < 0;
  const exponent = decimalPowers[suffix] ?? Number(suffix.slice(1) || 0);
  return whole.length + fraction.length > 18 || exponent - fraction.length < -9;
}
