import { createHmac, createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { worldTokenKey, type WorldPlatform } from '../compose/in-process.ts';
import { signatureFault } from '../compose/request-signature.ts';
import { arch, platform, version } from 'node:process';
import type { DocumentPlatform } from '../../adapters/http/documents.ts';

export const nodeDocuments: DocumentPlatform = {
  hashContent: async (content) => createHash('sha512').update(content).digest('hex').toUpperCase(),
  runtime: `node ${version}`,
  platform: `${platform}/${arch === 'x64' ? 'amd64' : arch}`,
};

export const nodePlatform: WorldPlatform = {
  nextIteration: () => setImmediate(),
  signatureFault,
  signToken: async (text) => createHmac('sha512', worldTokenKey).update(text).digest(),
  documents: nodeDocuments,
};
