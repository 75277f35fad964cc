import type { Random } from '../clock.ts';

/** Without vowels and look-alikes, so that no words come up. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Five random letters to append to a name. Follows apiserver pkg/storage/names/generate.go. */
export const randomSuffix = (random: Random): string =>
  Array.from({ length: 5 }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
