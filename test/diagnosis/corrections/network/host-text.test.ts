import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container } from '../../../../src/crd/kubernetes.ts';
import { withHost } from '../../../../src/diagnosis/corrections/network/host-text.ts';

const hosts = suite('a host in the texts of a container');

const env = (values: Record<string, string>): Partial<Container> => ({
  env: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const ROWS: Record<string, [given: Partial<Container>, changed: Record<string, string>]> = {
  'a host alone': [env({ DB_HOST: 'mysql' }), { 'env[0].value': 'mariadb' }],
  'with a port, a namespace, a path': [
    env({ A: 'mysql:3306', B: 'mysql.shop.svc:3306', C: 'http://mysql/x' }),
    { 'env[0].value': 'mariadb:3306', 'env[1].value': 'mariadb.shop.svc:3306', 'env[2].value': 'http://mariadb/x' },
  ],
  'a scheme, a user, a database of the same name': [
    env({ URL: 'mysql://mysql:mysql@mysql:3306/mysql?name=mysql' }),
    { 'env[0].value': 'mysql://mysql:mysql@mariadb:3306/mysql?name=mysql' },
  ],
  'a user without a password': [env({ URL: 'mysql://mysql@mysql/mysql' }), { 'env[0].value': 'mysql://mysql@mariadb/mysql' }],
  'a scheme within a scheme': [env({ URL: 'jdbc:mysql://mysql:3306/shop' }), { 'env[0].value': 'jdbc:mysql://mariadb:3306/shop' }],
  'pairs of a connection string': [
    env({ DSN: 'host=mysql user=mysql dbname=mysql password=mysql' }),
    { 'env[0].value': 'host=mariadb user=mysql dbname=mysql password=mysql' },
  ],
  'pairs between semicolons': [
    env({ DSN: 'Server=mysql;Database=mysql;User Id=mysql;Port=3306' }),
    { 'env[0].value': 'Server=mariadb;Database=mysql;User Id=mysql;Port=3306' },
  ],
  'variables that name no host': [
    env({ DB_CONNECTION: 'mysql', DB_HOST: 'mysql', DB_USER: 'mysql', DB_NAME: 'mysql', CACHE_DRIVER: 'mysql' }),
    { 'env[1].value': 'mariadb' },
  ],
  'a variable that may be a host or a database': [env({ DB: 'mysql' }), { 'env[0].value': 'mariadb' }],
  'a driver only': [env({ DB_DRIVER: 'mysql', DB_USERNAME: 'mysql' }), {}],
  'a list of hosts': [env({ HOSTS: 'mysql:3306,other:3306, mysql' }), { 'env[0].value': 'mariadb:3306,other:3306, mariadb' }],
  'parts of other names': [env({ A: 'my-mysql', B: 'mysql-0', C: 'x.mysql', D: 'mysqld', E: '/var/lib/mysql' }), {}],
  'a file below a folder of that name': [
    { args: ['--import=mysql/client.go', '--target=mysql:3306'] },
    { 'args[1]': '--target=mariadb:3306' },
  ],
  'the program of that name': [{ command: ['mysql', '-h', 'mysql', '-u', 'mysql'] }, { 'command[2]': 'mariadb' }],
  'the program of that name in a script': [
    { command: ['sh', '-c', 'until mysql -h mysql -u mysql; do sleep 1; done; mysql --host=mysql --user=mysql <x && exec mysql'] },
    { 'command[2]': 'until mysql -h mariadb -u mysql; do sleep 1; done; mysql --host=mariadb --user=mysql <x && exec mysql' },
  ],
  'a host that a script asks': [
    { command: ['sh', '-c', 'until nc -z mysql 3306; do echo "mysql:3306 is not up"; done'] },
    { 'command[2]': 'until nc -z mariadb 3306; do echo "mariadb:3306 is not up"; done' },
  ],
  nothing: [{}, {}],
};
for (const [sentence, [given, changed]] of Object.entries(ROWS))
  hosts(sentence, () => assert.equal(Object.fromEntries(withHost(given, 'mysql', 'mariadb').map(({ path, to }) => [path, to])), changed));

hosts.run();
