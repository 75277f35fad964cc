import type { ApiServerPorts } from './create-api.ts';
import type { DocumentPlatform } from '../../adapters/http/documents.ts';

/** What differs between Node and a browser, for worlds without sockets. */
export interface WorldPlatform extends Pick<ApiServerPorts, 'nextIteration' | 'signatureFault'> {
  /** HMAC-SHA-512 with the key of worlds. */
  readonly signToken: (text: string) => Promise<Uint8Array>;
  readonly documents: DocumentPlatform;
}
