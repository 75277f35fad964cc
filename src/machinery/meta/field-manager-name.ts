import { type FieldError, invalidValue, tooLong } from './field-error.ts';
import { byteLength } from './names.ts';

const maxBytes = 128;

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** The complaints about the name of a field manager. Follows apimachinery pkg/apis/meta/v1/validation ValidateFieldManager. */
export const fieldManagerErrors = (manager: string, field: string): readonly FieldError[] => [
  ...(byteLength(manager) > maxBytes ? [tooLong(field, maxBytes)] : []),
  ...unprintableErrors(manager, field),
];

/** One complaint for each character that does not print, with its position in bytes. */
const unprintableErrors = (manager: string, field: string): readonly FieldError[] =>
  [...manager.matchAll(unprintable)].map(({ 0: character, index }) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const position = byteLength(manager.slice(0, index));
    return invalidValue(field, manager, `invalid character U+${code} (at position ${position})`);
  });
