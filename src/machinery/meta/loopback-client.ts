import type { JsonObject } from '../json/json.ts';
import type { Result } from './result.ts';

/** Requests of the API server to itself, as system:apiserver. They pass all admission, webhooks included. */
export type LoopbackClient = (request: {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
}) => Promise<Result<JsonObject>>;
