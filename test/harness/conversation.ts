import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConvertAnswer } from './convert-stub.ts';

/** One recorded conversation with a real kube-apiserver: what was sent, and what came back and reached the webhooks. */
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
  /** What each path of the stub webhooks answers. */
  readonly stubs?: Readonly<Record<string, StubAnswer>>;
  /** Webhook paths whose calls come in any order. */
  readonly parallel?: readonly string[];
  /** Paths of conversion webhooks whose calls are not compared: how often a server converts is its own affair. */
  readonly conversion?: Readonly<Record<string, 'none'>>;
  /** Causes come in any order. */
  readonly sortCauses?: boolean;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly do?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  /** Its answer is not compared. */
  readonly setup?: boolean;
  readonly sleepMs?: number;
  /** The seconds it took are compared. */
  readonly timed?: boolean;
  /** The parts of the answer that are compared: their names, and the fields on the way to each. */
  readonly select?: Readonly<Record<string, readonly string[]>>;
  /** Names of values, and where in the answer each is: `$[name]` stands for it in later steps. */
  readonly save?: Readonly<Record<string, string>>;
  /** The versions whose last conversion is compared after all. */
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

/** What a step led to, with everything that differs from run to run replaced. */
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

/** Reads a conversation, with the stubs' recorded ports replaced by those that listen now. */
export function readConversation(text: string, ports: ReadonlyMap<number, number>): Conversation {
  const conversation: Conversation = JSON.parse(onPorts(text, ports));
  return conversation;
}

/** The text with the recorded ports replaced. */
export const onPorts = (text: string, ports: ReadonlyMap<number, number>): string =>
  text.replaceAll(/(127\.0\.0\.1|localhost):(\d{4,5})/g, (whole, host: string, port: string) => {
    const now = ports.get(Number(port));
    return now === undefined ? whole : `${host}:${now}`;
  });
