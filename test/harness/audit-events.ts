import { readFile } from 'node:fs/promises';

/** The compared fields of an event in an audit log. */
export interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Returns the events since the last call, up to that of the request with this Audit-Id, by Audit-Id. */
export type ReadAuditEvents = (lastId: string) => Promise<ReadonlyMap<string, AuditEvent>>;

/** Reads an audit log that a server is writing. Lines are written in order: the last one completes the list. */
export function followAuditLog(file: string): ReadAuditEvents {
  let read = 0;
  return async (lastId) => {
    for (;;) {
      const text = (await readFile(file, 'utf8')).slice(read);
      const lines = text.slice(0, text.lastIndexOf('\n') + 1);
      if (lines.includes(lastId)) {
        read += lines.length;
        const events = lines.split('\n').filter((line) => line !== '');
        return new Map(events.map((line) => JSON.parse(line)).map((event: AuditEvent) => [event.auditID, event]));
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
}

const ignored = /^authorization\.k8s\.io\/|^apiserver\.latency/;

/** An event in the form of the recorded conversations. */
export const recordedForm = ({ stage, verb, responseStatus, annotations }: AuditEvent): unknown => ({
  stage,
  verb,
  code: responseStatus?.code,
  annotations: annotations && Object.fromEntries(Object.entries(annotations).filter(([key]) => !ignored.test(key))),
});
