import type { CureRow } from './cure.ts';
import { app, crash, guess, likely } from './rows.ts';

const ARGS = { args: ['serve', '--port=8080', '--batch-size=32'] };
const added = (option: string): object => ({ [`${app}.args[3]`]: option });
const TRACE = 'Traceback (most recent call last):\n  File "/app/main.py", line 9, in <module>\n    main()\n';

/** Options that a program proposes in its last message. */
export const PROPOSED_OPTIONS: Record<string, CureRow> = {
  'an option that lifts a protection': crash(
    '[C 10:00:02.118 NotebookApp] Running as root is not recommended. Use --allow-root to bypass.',
    ARGS,
    {
      culprit: /--allow-root/,
      best: added('--allow-root'),
      ...guess,
    },
  ),
  'an option without which it is not supported': crash(
    '[0102/100000.118:ERROR:zygote_host_impl_linux.cc(100)] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.',
    ARGS,
    { culprit: /no-sandbox/, best: added('--no-sandbox'), ...guess },
  ),
  'an option with its value, as an example': crash(
    `${TRACE}ValueError: int8 needs a newer card than this one. You can use float16 instead, for example: --precision=float16.`,
    ARGS,
    { culprit: /int8 needs/, best: added('--precision=float16'), ...likely },
  ),
  'another value for an option that is there': crash(
    'Error: a batch of 32 does not fit into the memory of the device, try --batch-size=8',
    ARGS,
    { culprit: /batch/, best: { [`${app}.args[2]`]: '--batch-size=8' }, ...likely },
  ),
  'an option in quotes, to enable something': crash(
    "error: plugin directory is not signed; pass '--allow-unsigned-plugins' to load it anyway",
    ARGS,
    { culprit: /not signed/, best: added('--allow-unsigned-plugins'), ...guess },
  ),
  'an option that only shows more': crash(
    '> Run with --stacktrace option to get the stack trace.\nFAILURE: Build failed with an exception.',
    ARGS,
    {
      culprit: /./,
      best: null,
    },
  ),
  'an option that explains options': crash("error: no input given. Try '--help' for more information", ARGS, { culprit: /./, best: null }),
  'an option whose value nobody knows': crash('fatal: no configuration was given, use --config=FILE', ARGS, { culprit: /./, best: null }),
  'an option that wants a value': crash('fatal: no license was given, please specify --license', ARGS, { culprit: /./, best: null }),
  'an option that deletes data': crash('fatal: the data are of another cluster. Use --force-new-cluster to start anyway', ARGS, {
    culprit: /./,
    best: null,
  }),
  'an option that may not be used': crash('fatal: cannot use --watch with --batch-size', ARGS, { culprit: /./, best: null }),
  'two options to choose from': crash('fatal: the store is empty. Use --initialize or --allow-empty to go on', ARGS, {
    culprit: /./,
    best: null,
  }),
  'an option that is there already': crash(
    'fatal: Running as root is not recommended. Use --allow-root to bypass.',
    { args: ['--allow-root'] },
    {
      culprit: /./,
      best: null,
    },
  ),
  'a program whose arguments the image has': crash(
    'fatal: Running as root is not recommended. Use --allow-root to bypass.',
    {},
    {
      culprit: /./,
      best: null,
    },
  ),
  'a program that a script starts': crash(
    'fatal: Running as root is not recommended. Use --allow-root to bypass.',
    { command: ['sh', '-c', 'exec jupyter lab'] },
    { culprit: /./, best: null },
  ),
  'an exception about the configuration is no bug': crash(
    `${TRACE}shop.errors.ShopConfigException: error: cannot use the local store with two workers`,
    ARGS,
    { culprit: /cannot use the local store/, best: null, says: /^(?!.*has a bug)[^]*setting/ },
  ),
  'settings that are not valid': crash(`${TRACE}shop.conf.InvalidSettingsError: page size is beyond the most`, ARGS, {
    culprit: /page size/,
    best: null,
    says: /^(?!.*has a bug)[^]*setting/,
  }),
  'a bug in code about the configuration': crash(`${TRACE}AttributeError: 'AppConfig' object has no attribute 'limits'`, ARGS, {
    culprit: /has no attribute/,
    best: null,
    says: /has a bug/,
  }),
};
