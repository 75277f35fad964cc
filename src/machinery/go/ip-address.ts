/** Four decimal numbers without leading zeros. */
export function isIPv4(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every((one) => /^(?:0|[1-9]\d{0,2})$/.test(one) && Number(one) <= 255);
}

/** Without brackets; a zone may follow. */
export function isIPv6(text: string): boolean {
  const [, address = ''] = /^([\da-f:.]+)(?:%[\w.~-]+)?$/i.exec(text) ?? [];
  return address !== '' && URL.canParse(`http://[${address}]`);
}

export const isIP = (text: string): boolean => isIPv4(text) || isIPv6(text);
