import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnswerAct, bytesOf, type TargetEnvironment } from './case.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../src/machinery/json/json.ts';
import { issueCertificate } from '../../src/adapters/certificates/issue-certificate.ts';

/** A webhook with configurable responses. */
export interface FuzzWebhook {
  readonly ground: TargetEnvironment;
  readonly answerWith: (answer: AnswerAct) => void;
  readonly close: () => void;
}

const hour = 3_600_000;
const endlessWrites = 200_000;

export const allowing: AnswerAct = {
  act: 'answer',
  code: 200,
  headers: { 'content-type': 'application/json' },
  body: bytesOf(
    '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"<uid>","allowed":true}}',
  ),
  manner: 'whole',
};

export async function startWebhook(): Promise<FuzzWebhook> {
  const times = { notBefore: new Date(Date.now() - hour), notAfter: new Date(Date.now() + 24 * hour) };
  const issuer = await issueCertificate({ commonName: 'fuzz-ca', purpose: 'authority', ...times });
  const serving = await issueCertificate({
    commonName: 'webhook',
    purpose: 'server',
    names: ['127.0.0.1'],
    issuer,
    ...times,
  });
  let answer = allowing;
  const server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
    response.on('error', () => undefined);
    void respond(request, response, answer);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = (): string => {
    const address = server.address();
    return `https://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
  };
  return {
    ground: {
      webhook: {
        url: url(),
        caBundle: Buffer.from(issuer.certificate).toString('base64'),
      },
    },
    answerWith: (next) => {
      answer = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: AnswerAct): Promise<void> {
  const chunks: Buffer[] = [];
  request.on('error', () => undefined);
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  const body = fillPlaceholders(answer.body, Buffer.concat(chunks).toString());
  try {
    response.writeHead(answer.code, { ...answer.headers });
  } catch {
    // Node refuses to send some responses.
    response.writeHead(200);
  }
  await write(response, body, answer.manner);
}

async function write(response: ServerResponse, body: Uint8Array, manner: AnswerAct['manner']): Promise<void> {
  switch (manner) {
    case 'whole':
      response.end(body);
      return;
    case 'in pieces':
      for (let start = 0; start < body.length; start += Math.ceil(body.length / 20))
        response.write(body.subarray(start, start + Math.ceil(body.length / 20)));
      response.end();
      return;
    case 'repeated':
      for (let count = 0; count < endlessWrites && !response.destroyed && body.length > 0; count += 1) {
        if (!response.write(body)) await waitForDrain(response);
      }
      response.end();
      return;
    case 'unfinished':
      response.write(body);
  }
}

/** Resolves when the stream can be written to, or has ended. */
function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/** The parts of the request that a response repeats: the uid, and of a conversion the version and the metadata. */
function fillPlaceholders(body: Uint8Array, asked: string): Uint8Array {
  const uid = /"uid":"([^"]+)"/.exec(asked)?.[1] ?? '';
  const known = replaceText(Buffer.from(body), '<uid>', uid);
  if (!known.includes('<version>')) return known;
  const request = objectAt(JSON.parse(asked), 'request');
  const [object] = asList(request['objects']);
  const versioned = replaceText(known, '<version>', asString(request['desiredAPIVersion']));
  return replaceText(versioned, '"<metadata>"', JSON.stringify(objectAt(object, 'metadata')));
}

function replaceText(bytes: Buffer, mark: string, text: string): Buffer {
  const at = bytes.indexOf(mark);
  return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at + mark.length)]);
}

const objectAt = (value: unknown, field: string): JsonObject => (isJsonObject(value) ? asObject(value[field]) : {});
