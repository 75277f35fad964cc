import type { Operation } from '../run/operation.ts';
import { box, isBox, noSuchOverload } from '../value/value.ts';
import { namedFormats } from './format-patterns.ts';

/** `format.named('x')`: an optional. */
const named: Operation = (name) => {
  if (typeof name !== 'string') return noSuchOverload;
  const format = namedFormats.get(name);
  return box('optional', format && box('format', format));
};

/** The complaints as an optional list; none for a valid text. */
const validate: Operation = (format, text) => {
  if (!isBox(format, 'format') || typeof text !== 'string') return noSuchOverload;
  const complaints = format.value.validate(text);
  return box('optional', complaints.length === 0 ? undefined : complaints);
};

/** Named string formats. Follows apiserver pkg/cel/library/format.go. */
export const formatOperations: readonly (readonly [string, Operation])[] = [
  ['format.named', named],
  ['validate', validate],
  ...[...namedFormats].map(([name, format]): readonly [string, Operation] => {
    const value = box('format', format);
    return [`format.${name}`, () => value];
  }),
];
