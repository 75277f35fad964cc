import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConvertAnswer } from './stub-response.ts';

/** A recorded conversation with a real kube-apiserver: requests, responses, and webhook calls. */
export interface Conversation {
  readonly case: Case;
  readonly transcript: readonly Exchange[];
}

export interface Case {
  readonly name: string;
  readonly group: string;
  /** false: it needs no namespace of its own. */
  readonly namespace?: boolean;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** The response of the stub webhooks, by path. */
  readonly stubs?: Readonly<Record<string, StubAnswer>>;
  /** Webhook paths whose calls have no fixed order. */
  readonly parallel?: readonly string[];
  /** Paths of conversion webhooks whose calls are not compared: how often a server converts is not specified. */
  readonly conversion?: Readonly<Record<string, 'none'>>;
  /** Causes have no fixed order. */
  readonly sortCauses?: boolean;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly do?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  /** Its response is not compared. */
  readonly setup?: boolean;
  readonly sleepMs?: number;
  /** Its duration in seconds is compared. */
  readonly timed?: boolean;
  /** The compared parts of the response: names, and the path of fields to each. */
  readonly select?: Readonly<Record<string, readonly string[]>>;
  /** Names of values and their paths in the response: `$[name]` in later steps is replaced by the value. */
  readonly save?: Readonly<Record<string, string>>;
  /** The versions whose last conversion is compared nevertheless. */
  readonly conversions?: readonly string[];
}

export interface StubAnswer {
  readonly allow?: boolean;
  readonly patch?: unknown;
  readonly rawPatch?: string;
  readonly patchType?: string;
  readonly status?: unknown;
  readonly warnings?: unknown;
  readonly auditAnnotations?: unknown;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly delayMs?: number;
  readonly hang?: boolean;
  readonly reset?: boolean;
  readonly sequence?: readonly StubAnswer[];
  readonly convert?: ConvertAnswer;
  readonly whenLabel?: string;
  readonly then?: StubAnswer;
  readonly else?: StubAnswer;
  readonly http?: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** The result of a step; values that differ from run to run are replaced. */
export interface Exchange {
  readonly step: string;
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: unknown;
  readonly calls: readonly unknown[];
  readonly seconds?: number;
  /** The event in the audit log; absent when there is none. */
  readonly audit?: unknown;
}

const folder = 'test/facts/conversations';

/** The conversations of one group, by name. */
export const conversationsOf = (group: string): readonly Recording[] => conversationsIn(join(folder, group));

interface Recording {
  readonly name: string;
  readonly text: string;
}

export function conversationsIn(directory: string): readonly Recording[] {
  return readdirSync(directory)
    .toSorted()
    .map((file) => ({ name: file.replace('.json', ''), text: readFileSync(join(directory, file), 'utf8') }));
}

/** Reads a conversation, with the stubs' recorded ports replaced by the present ones. */
export function readConversation(text: string, ports: ReadonlyMap<number, number>): Conversation {
  const conversation: Conversation = JSON.parse(onPorts(text, ports));
  return conversation;
}

/** The text with the recorded ports replaced. */
export const onPorts = (text: string, ports: ReadonlyMap<number, number>): string =>
  text.replaceAll(/(127\.0\.0\.1|localhost):(\d{4,5})/g, (address, host: string, port: string) => {
    const now = ports.get(Number(port));
    return now === undefined ? address : `${host}:${now}`;
  });
