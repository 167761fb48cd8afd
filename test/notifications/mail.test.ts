import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailSender } from '../../src/notifications/mail.ts';
import { mailOf } from '../../src/notifications/types/email.ts';
import type { Outcome, Target } from '../../src/notifications/types/service.ts';
import { localCertificate } from '../support/network/certificates.ts';
import { aNotification } from '../support/notifications/incident.ts';
import { targetOf } from '../support/notifications/targets.ts';

const NOW = new Date('2026-03-01T10:05:01Z');
const RANGES = ['127.0.0.0/8'];
const mail = suite('mail');

let received: string[] = [];
type Options = NonNullable<ConstructorParameters<typeof SMTPServer>[0]>;

/** Sends one mail to a server with these options. */
async function sentTo(options: Options, target: (port: number) => Partial<Target>, ranges = RANGES): Promise<Outcome> {
  received = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        received.push(text);
        done();
      });
    },
    ...options,
  });
  // A client that refuses the certificate ends the connection.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const whole: Target = { ...targetOf('email', ''), ...target(port) };
  const outcome = await mailSender({ allowedRanges: ranges, timeoutMs: 10_000 })(
    mailOf({ notification: aNotification(), target: whole, place: null, now: NOW }),
    whole,
  );
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return outcome;
}
const plain = (port: number) => ({ address: `smtp://127.0.0.1:${port}?starttls=never` });

mail('a mail arrives with its subject, its thread and both forms of its text', async () => {
  assert.equal(await sentTo({ disabledCommands: ['STARTTLS', 'AUTH'] }, plain), { ok: true, state: 'accepted' });
  const [text = ''] = received;
  assert.match(text, /^To: team@example\.com$/m);
  assert.match(text, /^Message-ID: <[0-9a-f]{32}@example\.com>$/im);
  assert.match(text, /^Auto-Submitted: auto-generated$/m);
  assert.match(text, 'text/plain');
  assert.match(text, 'text/html');
});

mail('without STARTTLS nothing is sent', async () => {
  const outcome = await sentTo({ disabledCommands: ['STARTTLS', 'AUTH'] }, (port) => ({ address: `smtp://127.0.0.1:${port}` }));
  assert.is(outcome.ok, false);
  assert.equal(received, []);
});

mail('a password is never sent without encryption', async () => {
  const secret = { from: 'podmend@example.com', username: 'podmend', password: 'the-password' };
  const outcome = await sentTo({ disabledCommands: ['STARTTLS'] }, (port) => ({ ...plain(port), secret }));
  assert.is(outcome.ok, false);
  assert.equal(received, []);
});

mail('an untrusted certificate is refused', async () => {
  const outcome = await sentTo({}, (port) => ({ address: `smtp://127.0.0.1:${port}` }));
  assert.is(outcome.ok, false);
  assert.equal(received, []);
});

mail('with STARTTLS and the authority of the Secret it arrives, and the password only then', async () => {
  const { ca, ...certificate } = await localCertificate();
  const seen: [isSecure: boolean, password: string | null | undefined][] = [];
  const options: Options = {
    ...certificate,
    authOptional: false,
    onAuth({ username, password }, { secure }, done) {
      seen.push([secure, password]);
      done(null, { user: username ?? '' });
    },
  };
  const secret = { from: 'podmend@example.com', username: 'podmend', password: 'the-password' };
  const to = (over: Record<string, string>) => (port: number) => ({ address: `smtp://localhost:${port}`, secret: { ...secret, ...over } });
  assert.equal(await sentTo(options, to({ 'ca.crt': ca })), { ok: true, state: 'accepted' });
  assert.equal(seen, [[true, 'the-password']]);
  assert.is(received.length, 1);
  const stranger = await localCertificate();
  for (const over of [{}, { 'ca.crt': stranger.ca }]) assert.is((await sentTo(options, to(over))).ok, false);
  assert.is(seen.length, 1, 'who is not trusted is told nothing');
});

mail('smtps is encrypted from the start', async () => {
  const { ca, ...certificate } = await localCertificate();
  const secret = { from: 'podmend@example.com', 'ca.crt': ca };
  const outcome = await sentTo({ ...certificate, secure: true }, (port) => ({ address: `smtps://localhost:${port}`, secret }));
  assert.equal(outcome, { ok: true, state: 'accepted' });
  assert.is(received.length, 1);
});

mail('a private address is refused before anything is sent', async () => {
  const outcome = await sentTo({ disabledCommands: ['STARTTLS', 'AUTH'] }, plain, []);
  assert.equal(outcome, { ok: false, reason: 'AddressNotAllowed', detail: 'no answer (PRIVATE)' });
});

mail('an unknown recipient counts as an unknown channel', async () => {
  const refuse: Options['onRcptTo'] = (_address, _session, done) => done(Object.assign(new Error('no such user'), { responseCode: 550 }));
  const outcome = await sentTo({ disabledCommands: ['STARTTLS', 'AUTH'], onRcptTo: refuse }, plain);
  assert.equal(outcome.ok ? 'sent' : outcome.reason, 'NoSuchChannel');
});

mail.run();
