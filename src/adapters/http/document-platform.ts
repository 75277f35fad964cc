import { createHash } from 'node:crypto';
import { arch, platform, version } from 'node:process';
import type { DocumentPlatform } from './documents.ts';

export const nodeDocuments: DocumentPlatform = {
  hashContent: async (content) => createHash('sha512').update(content).digest('hex').toUpperCase(),
  runtime: `node ${version}`,
  platform: `${platform}/${arch === 'x64' ? 'amd64' : arch}`,
};
