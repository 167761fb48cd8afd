import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nearVariables } from '../../../../src/diagnosis/corrections/settings/near-variable.ts';

const test = suite('variables under a near name');

/** The names that are found, each with its confidence. */
const near = (wanted: string, ...names: string[]) => nearVariables(wanted, names).map(({ name, confidence }) => `${name} ${confidence}`);
const TABLE: Record<string, [wanted: string, names: string[], found: string[]]> = {
  'slips come before other words': ['DATABASE_URL', ['DB_URI', 'DATABASE_URL', 'DATABSE_URL'], ['DATABSE_URL likely', 'DB_URI likely']],
  'a slip that is also another word comes once': ['CONFIG_DIR', ['CONF_DIR'], ['CONF_DIR likely']],
  'a slip wins over a longer name': ['QUEUE_NAME', ['SHOP_QUEUE_NAME', 'QUEUE_NAEM'], ['QUEUE_NAEM likely']],
  'a missing separator is a slip': ['QUEUE_NAME', ['QUEUENAME'], ['QUEUENAME likely']],
  'three letters abbreviate a word': ['ORDERS_REGION', ['ORDERS_REG'], ['ORDERS_REG likely']],
  'two letters do not abbreviate a word': ['QUEUE_REGION', ['QUEUE_RE'], []],
  'two letters of six may differ': ['SHOP_REGION', ['SHOP_REGAIN'], ['SHOP_REGAIN likely']],
  'only one letter of five may differ': ['SHOP_QUEUE', ['SHOP_QUASE'], []],
  'the owner in three letters': ['KCL_HOSTNAME', ['KEYCLOAK_HOSTNAME'], ['KEYCLOAK_HOSTNAME likely']],
  'the owner in four letters': ['KYCL_HOSTNAME', ['KEYCLOAK_HOSTNAME'], []],
  'an owner of four letters': ['KC_HOSTNAME', ['KLMC_HOSTNAME'], []],
  'an owner of five letters': ['KC_HOSTNAME', ['KLMNC_HOSTNAME'], ['KLMNC_HOSTNAME likely']],
  'an owner with other letters': ['XY_HOSTNAME', ['KEYCLOAK_HOSTNAME'], []],
  'an owner of another thing': ['KC_HOSTNAME', ['KEYCLOAK_REALM'], []],
  'two such owners': ['KC_HOSTNAME', ['KEYCLOAK_HOSTNAME', 'KUBECACHE_HOSTNAME'], []],
  'an owner without a thing': ['KC', ['KEYCLOAK'], []],
  'two words before it': ['DATABASE_URL', ['MY_SHOP_DATABASE_URL'], ['MY_SHOP_DATABASE_URL guess']],
  'two words behind it': ['DATABASE_URL', ['DATABASE_URL_READ_ONLY'], []],
  'two words within it': ['NATS_QUEUE', ['NATS_X_Y_QUEUE'], []],
  'a word behind its first': ['SHOP_ORDERS_QUEUE', ['SHOP_MAIN_ORDERS_QUEUE'], ['SHOP_MAIN_ORDERS_QUEUE guess']],
  'a word before its last': ['SHOP_ORDERS_QUEUE', ['SHOP_ORDERS_MAIN_QUEUE'], ['SHOP_ORDERS_MAIN_QUEUE guess']],
  'less than it': ['SHOP_DATABASE_URL', ['DATABASE_URL'], ['DATABASE_URL guess']],
  'less than it by an owner': ['APP_DATABASE_URL', ['DATABASE_URL'], ['DATABASE_URL likely']],
  'one word without its owner': ['APP_PORT', ['PORT'], ['PORT guess']],
  'two owners before one word': ['PORT', ['MY_APP_PORT'], []],
  'an owner before another word': ['PORT', ['APP_TIMEOUT'], []],
  'a word behind one word': ['PORT', ['PORT_HTTP'], []],
  'the place of the same owner': ['ORDERS_HOST', ['ORDERS_UPSTREAM', 'CATALOG_HOST'], ['ORDERS_UPSTREAM guess']],
  'the place of the same owner, where no other has such a name': ['ORDERS_HOST', ['ORDERS_UPSTREAM', 'CATALOG_COLOR'], []],
  'two places of the same owner': ['ORDERS_HOST', ['ORDERS_UPSTREAM', 'ORDERS_BACKEND', 'CATALOG_HOST'], []],
  'another thing of the same owner': ['ORDERS_HOST', ['ORDERS_COLOR', 'CATALOG_HOST'], []],
  'a place for another thing': ['ORDERS_COLOR', ['ORDERS_UPSTREAM', 'CATALOG_COLOR'], []],
  'a place of the same owner alone': ['ORDERS_HOST', ['ORDERS_MAIN_SPARE_HOST'], []],
  'another server of an address': ['DATABASE_URL', ['REDIS_URL'], []],
  'a database for another address': ['QUEUE_URL', ['POSTGRES_URL'], []],
  'another key of the same ending': ['SLACK_KEY', ['ACME_THING_KEY'], []],
};
for (const [sentence, [wanted, names, found]] of Object.entries(TABLE)) test(sentence, () => assert.equal(near(wanted, ...names), found));

const PLACES = ['HOST', 'HOSTNAME', 'ADDR', 'ADDRESS', 'URL', 'URI', 'UPSTREAM', 'ENDPOINT', 'SERVER', 'SERVICE', 'BACKEND', 'TARGET'];
for (const place of PLACES)
  test(`${place} is where something is`, () => {
    const other = ['TARGET', 'SERVER', 'SERVICE'].includes(place) ? 'UPSTREAM' : 'TARGET';
    assert.equal(near(`ORDERDESK_${other}`, `ORDERDESK_${place}`, `CATALOG_${other}`), [`ORDERDESK_${place} guess`]);
    assert.equal(near(`ORDERDESK_${other}`, `ORDERDESK_${place}X`, `CATALOG_${other}`), []);
  });
for (const database of ['POSTGRES', 'POSTGRESQL', 'PG', 'MYSQL', 'MARIADB', 'MONGO', 'MONGODB'])
  test(`${database}_URL is the address of a database`, () => {
    for (const wanted of ['DATABASE_URL', 'DATABASE_URI', 'DB_URL', 'DB_URI'])
      for (const end of ['URL', 'URI']) assert.equal(near(wanted, `${database}_${end}`), [`${database}_${end} guess`], wanted);
    assert.equal(near('DATABASE_URL', `MY_OWN_${database}_URL`), []);
  });
for (const end of ['TOKEN', 'API_KEY', 'APIKEY', 'DSN'])
  test(`the only ${end} may be the wanted one`, () => {
    assert.equal(near(`SLACK_${end}`, 'A', `ACME_THING_${end}`), [`ACME_THING_${end} guess`]);
    assert.equal(near(`SLACK_${end}`, `ACME_THING_${end}`, `OTHER_MATTER_${end}`), []);
    assert.equal(near(`SLACK_${end}`, `ACME_THING_${end}_FILE`), []);
  });

test.run();
