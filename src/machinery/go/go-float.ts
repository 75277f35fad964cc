/** A double as Go's 'g' format with the fewest digits prints it: `1`, `0.5`, `1e+21`, `+Inf`. Follows go src/strconv/ftoa.go. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // Six, although more digits may follow: Go decides so for the shortest form.
  if (exponent >= -4 && exponent < 6) return plain(mantissa, exponent);
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plain(mantissa: string, exponent: number): string {
  const negative = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < 0) return `${negative}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return fraction === '' ? `${negative}${whole}` : `${negative}${whole}.${fraction}`;
}
