import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page, WebSocketRoute } from 'playwright-core';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Role, UserRecord } from '../../../src/contract/auth.ts';
import type { AppStatus } from '../../../src/contract/settings.ts';
import type { SocketMessage } from '../../../src/contract/socket.ts';
import { NOW_MS } from '../builders/answers.ts';
import { DASHBOARD, openScreens, type Screen, type Screens } from '../network/browser.ts';
import { until } from '../runner/wait.ts';

// The built dashboard on a server that knows only the answers of the test. So a screen gets any data within milliseconds, and a test sees
// each request that the screen sends.

/** What the server answers to `GET /api/…` and so on: a body as JSON, a function of the request's body that returns one, or a `Reply`. */
export type Answers = Readonly<Record<string, unknown>>;

/** An answer other than 200 with a body as JSON. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A refusal with this `detail`. */
export const refuse = (status: number, detail: string, headers?: Record<string, string>): Reply => new Reply(status, { detail }, headers);

/** The visible text of an element in one line. */
export const textOf = async (element: Locator): Promise<string> => (await element.innerText()).replaceAll(/\s+/g, ' ').trim();
/** The same of each of several elements, once the first one is there. */
export async function textsOf(elements: Locator): Promise<string[]> {
  await elements.first().waitFor();
  return (await elements.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

/** What marks elements for the eye, such as `marksOf(page, 'tone')`: the attribute `data-tone` and the text of each, as `bad: Not ready`. */
export const marksOf = (within: Pick<Locator, 'locator'>, mark: string): Promise<string[]> =>
  within
    .locator(`[data-${mark}]`)
    .evaluateAll(
      (all: { getAttribute(name: string): string; textContent: string }[], name) =>
        all.map((one) => `${one.getAttribute(name)}: ${one.textContent.replaceAll(/\s+/g, ' ').trim()}`.trim()),
      `data-${mark}`,
    );

export interface Canned extends Omit<Screen, 'close'> {
  /** The requests other than GET since the last call, with their bodies: `PUT /api/pods/7/status {"status":"new"}`. */
  sent(): string[];
  /** Waits until a request other than GET has been sent. Returns what `sent` returns. */
  nextSent(): Promise<string[]>;
  /** The requests `GET /api/…` since the last call. */
  read(): string[];
  /** Waits until each of these paths is read after the last request other than GET: the screen shows what has changed. */
  readAgain(...paths: string[]): Promise<void>;
  /** Changes some answers. */
  answer(answers: Answers): void;
  /** Sends a message over the socket. */
  tell(message: SocketMessage): void;
  /**
   * Waits until the screen shows all of these, as texts of its outline for screen readers. The outline names roles, texts, links and states:
   * `- button "Try it" [disabled]`.
   */
  shows(...texts: string[]): Promise<string>;
  /** What is in the search part of the address. */
  address(): string;
}

export interface CannedDashboard {
  /** Opens an address of the dashboard with empty storage. Each request that it sends must have an answer. */
  open(path: string, answers?: Answers, role?: Role): Promise<Canned>;
}

export const USER: UserRecord = { id: 7, username: 'eve', role: 'write', created_at: '2026-01-01T00:00:00.000Z' };

const CONFIG: AppStatus = {
  version: '1.2.3',
  cluster: 'harbour',
  ai_enabled: false,
  ai_provider: null,
  ai_model: null,
  mirror_ttl_seconds: 300,
  features: { mirrors: true, advice: true, scanner: true },
};

const USUAL: Answers = { 'GET /api/config': CONFIG, 'GET /health': { status: 'ok' } };
/** Timers run, but the time of day stands still, so that ages are the same on a slow machine. */
const STANDING_CLOCK = `{
  const Running = Date;
  globalThis.Date = class extends Running {
    constructor(...given) {
      super(...(given.length > 0 ? given : [${NOW_MS}]));
    }
    static now() {
      return ${NOW_MS};
    }
  };
}`;
const WIDE = { width: 1440, height: 900 };
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

/** One browser window for all tests of a suite. */
export function cannedDashboard(test: Test, chromium: string | undefined): CannedDashboard {
  let screens: Screens;
  let server: Server;
  let screen: Screen | undefined;
  let user = USER;
  let answers: Answers = USUAL;
  let socket: WebSocketRoute | undefined;
  let sent: string[] = [];
  let read: string[] = [];
  let all: string[] = [];
  const unanswered = new Set<string>();

  /** The answer for exactly this path, otherwise for the path without its query. */
  const answerTo = (method: string, path: string): unknown =>
    [`${method} ${path}`, `${method} ${path.replace(/\?.*/, '')}`].map((key) => answers[key]).find((found) => found !== undefined);

  const reply = (response: ServerResponse, { status, body, headers }: Reply): void => {
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', 'cache-control': 'no-store', ...headers });
    response.end(body === undefined ? '' : isText ? body : JSON.stringify(body));
  };

  test.before(async () => {
    screens = await openScreens(chromium ?? '');
    server = createServer((request, response) => {
      const [method = '', path = ''] = [request.method, request.url];
      const [, asset = ''] = /^\/(assets\/[\w.-]+)$/.exec(path) ?? [];
      if (asset !== '' && existsSync(DASHBOARD + asset)) {
        const type = TYPES[asset.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600, immutable' });
        response.end(readFileSync(DASHBOARD + asset));
        return;
      }
      if (!/^\/(api\/|health)/.test(path)) {
        const found = JSON.stringify(user).replaceAll('"', '&quot;');
        response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
        response.end(readFileSync(`${DASHBOARD}console.html`, 'utf8').replace('</head>', `<meta name="user" content="${found}"></head>`));
        return;
      }
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        all.push(`${method} ${path}`);
        if (method === 'GET') read.push(`GET ${path}`);
        else sent.push(`${method} ${path}${text && ` ${text}`}`);
        let found = answerTo(method, path);
        if (typeof found === 'function') found = (found as (body: unknown) => unknown)(text === '' ? undefined : JSON.parse(text));
        if (found === undefined) unanswered.add(`${method} ${path}`);
        reply(response, found instanceof Reply ? found : found === undefined ? refuse(404, 'no answer') : new Reply(200, found));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  test.after.each(() => {
    const strange = screen?.complaints().filter((line) => !/Failed to load resource/.test(line)) ?? [];
    const lacking = [...unanswered];
    unanswered.clear();
    assert.equal(strange, []);
    assert.equal(lacking, [], 'requests without an answer');
  });
  test.after(async () => {
    await screens?.close();
    server?.close();
  });

  const outline = (page: Page): Promise<string> => page.locator('body').ariaSnapshot();

  return {
    async open(path, over = {}, role = 'write') {
      const { port } = server.address() as AddressInfo;
      const url = `http://localhost:${port}`;
      if (!screen) {
        screen = await screens.visit('about:blank', {
          locale: 'en-GB',
          timezoneId: 'UTC',
          permissions: ['clipboard-read', 'clipboard-write'],
        });
        await screen.page.addInitScript(STANDING_CLOCK);
        await screen.page.routeWebSocket(/\/api\/ws$/, (route) => {
          socket = route;
        });
      } else {
        await screen.page.evaluate('localStorage.clear(); sessionStorage.clear()');
        // What this page still asks for belongs to the answers before.
        await screen.page.goto('about:blank');
        await screen.page.setViewportSize(WIDE);
      }
      answers = { ...USUAL, ...over };
      user = { ...USER, role };
      [sent, read, all] = [[], [], []];
      const { page } = screen;
      await page.goto(url + path, { waitUntil: 'domcontentloaded' });
      // The page itself looks in each frame; a locator would look after longer and longer pauses. An ended session leads to the login.
      await page.waitForFunction(`document.querySelector('#content h1, input[name=password]')`);
      const taken = (lines: string[]): string[] => lines.splice(0);
      return {
        ...screen,
        sent: () => taken(sent),
        async nextSent() {
          await until(() => sent.length > 0, { what: 'a request' });
          return taken(sent);
        },
        read: () => taken(read),
        async readAgain(...paths) {
          const missing = (): string[] => {
            const since = all.slice(all.findLastIndex((line) => !line.startsWith('GET ')) + 1);
            return paths.filter((one) => !since.includes(`GET ${one}`));
          };
          await until(() => missing().length === 0, { timeoutMs: 30_000, what: () => `another GET of ${missing().join(', ')}` });
        },
        answer: (more) => (answers = { ...answers, ...more }),
        tell: (message) => socket?.send(JSON.stringify(message)),
        async shows(...texts) {
          let shown = '';
          const lacking = async (): Promise<string[]> => {
            shown = await outline(page);
            return texts.filter((text) => !shown.includes(text));
          };
          try {
            await until(async () => (await lacking()).length === 0, { timeoutMs: 30_000, what: () => texts.join(', ') });
          } catch {
            assert.unreachable(`not shown: ${(await lacking()).join('; ')}\n${shown}`);
          }
          return shown;
        },
        address: () => decodeURIComponent(new URL(page.url()).search),
      };
    },
  };
}
