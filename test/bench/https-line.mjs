import { once } from 'node:events';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';

/**
 * One keep-alive HTTP/1.1 connection that carries one request at a time: as little client as there can be, so that the
 * server is what gets measured. Reads answers with a Content-Length, as both servers here send them.
 */
export function openLine({ port, ca, cert, key }) {
  const socket = connect({ host: '127.0.0.1', port, ca, cert, key, ALPNProtocols: ['http/1.1'] });
  socket.setNoDelay(true);
  let pending;
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = readAnswer(received);
    if (!answer || !pending) return;
    received = received.subarray(answer.length);
    const { resolve } = pending;
    pending = undefined;
    resolve(answer);
  });
  const fail = (error) => pending?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  return {
    /** Sends the bytes of a request; resolves to `{ code, body }`. */
    send: (bytes) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        socket.write(bytes);
      }),
    close: () => {
      pending = undefined;
      socket.destroy();
    },
  };
}

/** Asks for something that has no end, and reads it without looking. Resolves to what closes it, once the answer has begun. */
export async function openStream({ port, ca, cert, key }, path) {
  const socket = connect({ host: '127.0.0.1', port, ca, cert, key, ALPNProtocols: ['http/1.1'] });
  socket.write(jsonRequest('GET', path));
  await once(socket, 'data');
  socket.resume();
  return () => socket.destroy();
}

function readAnswer(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.latin1Slice(0, end);
  const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const length = end + 4 + bodyLength;
  if (bytes.length < length) return undefined;
  return { code: Number(head.slice(9, 12)), body: bytes.subarray(end + 4, length), length };
}

/** The bytes of a request with a JSON body. */
export function jsonRequest(method, path, value) {
  const body = value === undefined ? '' : JSON.stringify(value);
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n`;
  return Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Sends one request on a connection of its own and reads the JSON it answers with; throws for a code from 400 up. */
export async function ask({ port, ca, cert, key }, method, path, value) {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const request = https.request({ host: '127.0.0.1', port, ca, cert, key, method, path, headers, agent: false });
  request.end(value === undefined ? undefined : JSON.stringify(value));
  const [response] = await once(request, 'response');
  const body = await text(response);
  if (response.statusCode >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${body}`);
  return body.startsWith('{') ? JSON.parse(body) : body;
}
