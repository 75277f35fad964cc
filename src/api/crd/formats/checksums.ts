const cards =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11}|6[27]\d{14})$/;

/** The number of a card, with anything between its digits. Follows govalidator IsCreditCard. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D+/g, '');
  if (!cards.test(digits)) return false;
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, index) => total + luhn(Number(digit), index), 0);
  return sum % 10 === 0;
}

function luhn(digit: number, index: number): number {
  if (index % 2 === 0) return digit;
  return digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
}

const withoutDashes = (text: string): string => text.replaceAll(/[\s-]+/g, '');

/** Follows govalidator IsISBN. */
export function isIsbn10(text: string): boolean {
  const digits = withoutDashes(text);
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  const sum = digits
    .split('')
    .reduce((total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutDashes(text);
  if (!/^\d{13}$/.test(digits)) return false;
  return (
    digits.split('').reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
  );
}
