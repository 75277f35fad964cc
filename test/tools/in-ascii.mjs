/**
 * Code with every other character written as its number, which means the same in texts and regular expressions: V8 keeps a
 * file that has one of them at two bytes a character.
 */
export const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
