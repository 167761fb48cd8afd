import type { Case } from '../../../src/diagnosis/case.ts';
import { aCase, crashed } from '../builders/cases.ts';

export const TRACE = 'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>\n';

/** What programs say when they end, and who is to blame. */
export const LOGS: [says: string, culprit: string][] = [
  ['Error: Missing required environment variable: STRIPE_API_KEY', 'STRIPE_API_KEY'],
  ['2026/01/02 10:00:00 listen tcp: address 8080: missing port in address', 'address 8080'],
  ["RuntimeError: can't start new thread", "limit of threads and processes: RuntimeError: can't start new thread"],
  ['2024/01/02 10:00:00 required key DATABASE_URL missing value', 'DATABASE_URL'],
  [`${TRACE}    db = os.environ["DATABASE_URL"]\nKeyError: 'DATABASE_URL'`, 'DATABASE_URL'],
  ['/entrypoint.sh: line 3: API_TOKEN: unbound variable', 'API_TOKEN'],
  ['sh: 1: API_TOKEN: parameter not set', 'API_TOKEN'],
  ['{"level":"fatal","msg":"config: JWT_SECRET is not set","ts":1}', 'JWT_SECRET'],
  ['Error: PORT is not defined', 'PORT'],
  ['django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.', 'SECRET_KEY'],
  ['Error: connect ECONNREFUSED 10.96.0.12:5432', '10.96.0.12:5432'],
  ['dial tcp 10.0.0.5:6379: connect: connection refused', '10.0.0.5:6379'],
  ['connection to server at "postgres" (10.96.1.1), port 5432 failed: Connection refused', 'postgres:5432'],
  ['Error 111 connecting to redis:6379. Connection refused.', 'redis:6379'],
  ['2024-01-01 ERROR worker-1 connection to db.internal:5432 refused, retry in 2s', 'db.internal:5432'],
  ['Error: getaddrinfo ENOTFOUND postgres-svc', 'postgres-svc'],
  ['dial tcp: lookup redis-master on 10.96.0.10:53: no such host', 'redis-master'],
  ['could not translate host name "db" to address: Name or service not known', 'db'],
  ['java.net.UnknownHostException: kafka-broker', 'kafka-broker'],
  ['nginx: [emerg] host not found in upstream "api-backend" in /etc/nginx/conf.d/default.conf:3', 'api-backend'],
  ['curl: (6) Could not resolve host: metadata.svc', 'metadata.svc'],
  ["wget: bad address 'config-server:8888'", 'config-server'],
  ['dial tcp 10.0.0.9:3306: i/o timeout', '10.0.0.9:3306'],
  ['x509: certificate signed by unknown authority', 'certificate signed by unknown authority'],
  ['nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)', '/var/cache/nginx/client_temp'],
  ["PermissionError: [Errno 13] Permission denied: '/var/log/app/app.log'", '/var/log/app/app.log'],
  ["Error: EACCES: permission denied, open '/data/store.db'", '/data/store.db'],
  ['/docker-entrypoint.sh: 12: /app/run.sh: Permission denied', '/app/run.sh'],
  ['nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)', 'port 80'],
  ["OSError: [Errno 30] Read-only file system: '/app/cache'", '/app/cache'],
  ['Error: listen EADDRINUSE: address already in use :::3000', 'port 3000'],
  ['listen tcp :8080: bind: address already in use', 'port 8080'],
  ["ModuleNotFoundError: No module named 'flask'", 'flask'],
  ['ERROR:    Error loading ASGI app. Could not import module "main".', 'main'],
  ["Error: Cannot find module '/app/server.js'\n    at Module._resolveFilename", '/app/server.js'],
  ["Error: Cannot find module 'express'\nRequire stack:\n- /app/index.js", 'express'],
  ['npm ERR! missing script: start', 'script start'],
  ['Error: Could not find or load main class com.acme.Main', 'com.acme.Main'],
  ['Error: Unable to access jarfile /app/app.jar', '/app/app.jar'],
  ['java.lang.OutOfMemoryError: Java heap space', 'OutOfMemoryError: Java heap space'],
  ["Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder 'db.url' in value", 'db.url'],
  ['panic: runtime error: index out of range [5]\n\ngoroutine 1 [running]:', 'panic: runtime error: index out of range [5]'],
  ['FATAL:  password authentication failed for user "app"', 'login of app: FATAL:  password authentication failed for user "app"'],
  [
    "ERROR 1045 (28000): Access denied for user 'root'@'10.1.2.3' (using password: YES)",
    "login of root: ERROR 1045 (28000): Access denied for user 'root'@'10.1.2.3' (using password: YES)",
  ],
  ['ReplyError: NOAUTH Authentication required.', 'Redis login: ReplyError: NOAUTH Authentication required.'],
  ['MongoServerError: Authentication failed.', 'MongoDB login: MongoServerError: Authentication failed.'],
  ['relation "users" does not exist', 'users'],
  [
    'Error: Database is uninitialized and superuser password is not specified.',
    'POSTGRES_PASSWORD: Error: Database is uninitialized and superuser password is not specified.',
  ],
  [
    'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/nginx.conf:12',
    'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/nginx.conf:12',
  ],
  [
    "[ALERT] 001/000000 (1) : parsing [/usr/local/etc/haproxy/haproxy.cfg:5] : unknown keyword 'fronted'",
    "[ALERT] 001/000000 (1) : parsing [/usr/local/etc/haproxy/haproxy.cfg:5] : unknown keyword 'fronted'",
  ],
  ["FileNotFoundError: [Errno 2] No such file or directory: '/etc/config/app.yaml'", '/etc/config/app.yaml'],
  ['open /etc/app/config.toml: no such file or directory', '/etc/app/config.toml'],
  ["Unhandled exception. System.IO.FileNotFoundException: Could not find file '/app/appsettings.json'.", '/app/appsettings.json'],
  ['/bin/sh: 1: gunicorn: not found', 'gunicorn'],
  ['bash: line 1: foo: command not found', 'foo'],
  ["/usr/bin/env: 'bash\\r': No such file or directory", 'bash\\r'],
  ['Error: unknown flag: --enable-foo\nUsage: app [flags]', '--enable-foo'],
  ['error while loading shared libraries: libpq.so.5: cannot open shared object file: No such file or directory', 'libpq.so.5'],
  ['exec /app/server: exec format error', '/app/server'],
  ['OSError: [Errno 28] No space left on device', 'no space left on device'],
  ['/usr/lib/ruby/x.rb:85: cannot load such file -- rails (LoadError)', 'rails'],
  [
    'pods is forbidden: User "system:serviceaccount:shop:web" cannot list resource "pods" in API group ""',
    'system:serviceaccount:shop:web cannot list resource pods',
  ],
];

/** A container that ended after it had said so. */
export function caseOfLog(says: string): Case {
  return aCase({ status: crashed(), logs: `==> app (current) <==\nstarting\n${says}\nbye\n` });
}
