import { readMapping } from '../../src/adapters/config/mapping.ts';
import { createMappings, type Mappings } from '../../src/adapters/webhook-client/mappings.ts';

/** Parses these values of `--map`. Throws for an invalid one. */
export const parseMappings = (...texts: readonly string[]): Mappings =>
  createMappings(
    texts.map((text) => {
      const reading = readMapping(text);
      if (reading.outcome === 'wrong') throw new Error(`${text} ${reading.problem}`);
      return reading.mapping;
    }),
  );
