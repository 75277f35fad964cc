import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { nodeDocuments } from '../../adapters/http/document-platform.ts';
import { worldTokenKey } from '../compose/identity.ts';
import type { WorldPlatform } from '../compose/platform.ts';
import { signatureFault } from '../compose/request-signature.ts';

export const nodePlatform: WorldPlatform = {
  nextIteration: () => setImmediate(),
  signatureFault,
  signToken: async (text) => createHmac('sha512', worldTokenKey).update(text).digest(),
  documents: nodeDocuments,
};
