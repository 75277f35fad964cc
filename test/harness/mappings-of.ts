import { readMapping } from '../../src/adapters/config/mapping.ts';
import { createMappings, type Mappings } from '../../src/adapters/webhook-client/mappings.ts';

/** The mappings that these `--map` stand for. Throws for one that cannot be read. */
export const mappingsOf = (...texts: readonly string[]): Mappings =>
  createMappings(
    texts.map((text) => {
      const reading = readMapping(text);
      if (reading.outcome === 'wrong') throw new Error(`${text} ${reading.problem}`);
      return reading.mapping;
    }),
  );
