import type { RuleInput } from '../../facts/input.ts';
import { misspeltModule } from '../../corrections/settings/misspelt-module.ts';
import { largerHeap } from '../../corrections/memory/larger-heap.ts';
import { code } from '../../rendering/quote.ts';
import { dropCommand } from '../../corrections/command/command.ts';
import { raiseMemory } from '../../corrections/memory/memory.ts';
import type { Signature } from './signature.ts';

/** The option that bounds the heap, in brackets, if the container has it. */
function heapOption(input: RuleInput): string {
  const { env = [], args = [], command = [] } = input.place()?.container ?? {};
  const words = [...args, ...command, ...env.map(({ value }) => value ?? '')].join(' ');
  const option = /--max-old-space-size[= ]\d{1,7}/.exec(words.slice(0, 20_000))?.[0];
  return option === undefined ? '' : ` (${option})`;
}

/** Modules, scripts and the heap of Python and Node. */
export const pythonAndNodeSignatures: readonly Signature[] = [
  {
    id: 'python-module',
    hints: ['no module named', 'importerror', 'could not import'],
    pattern:
      /(?:ModuleNotFoundError|ImportError): (?:No module named ['"]?(?<module>[\w.-]{1,200})|cannot import name ['"](?<name>\w{1,200})['"] from ['"](?<from>[\w.]{1,200}))|(?:No module named|Could not import(?: module)?) ['"]?(?<bare>[\w.]{1,200})/,
    explain: ({ module, name, from, bare }, input) => {
      const missing = module ?? bare ?? from ?? '';
      return {
        corrections: name ? [] : misspeltModule(input, missing),
        because: name
          ? `the Python module ${code(missing)} has no ${code(name)}`
          : `the Python module ${code(missing)} is not in the image`,
        culprit: name ? `${missing}.${name}` : missing,
        advice: ['Add it to the requirements and build the image again. For your own module check `PYTHONPATH` and `workingDir`.'],
        whereToLook: "the image's requirements, `PYTHONPATH` and `workingDir`",
      };
    },
  },
  {
    id: 'node-module',
    hints: ['cannot find module', 'cannot find package', 'err_module_not_found'],
    pattern: /Cannot find (?:module|package) ['"](?<module>(?!\/)[^'"]{1,200})['"]/,
    explain: ({ module = '' }, input) => ({
      because: `the Node module ${code(module)} is not in the image`,
      culprit: module,
      advice: [
        'Install it in the image (`npm ci --omit=dev` leaves development dependencies out), and check that no volume hides `node_modules`.',
      ],
      corrections:
        (input.place()?.container?.command?.length ?? 0) > 0 && module.startsWith('.')
          ? dropCommand(input.place(), 'the command starts a file that lacks its parts')
          : [],
      whereToLook: "the image's `package.json` and `node_modules`, and mounts over them",
    }),
  },
  {
    id: 'npm-script',
    hints: ['missing script'],
    pattern: /[Mm]issing script:? ['"]?(?<script>[\w:.-]{1,80})/,
    explain: ({ script = '' }, input) => ({
      because: `\`package.json\` has no script ${code(script)}`,
      culprit: `script ${script}`,
      advice: ['Name a script that `package.json` has (`npm run` lists them), or start the program itself.'],
      corrections: dropCommand(input.place(), `there is no script ${code(script)}`),
      whereToLook: "the `scripts` of the image's `package.json`",
    }),
  },
  {
    id: 'node-heap',
    hints: ['javascript heap out of memory'],
    pattern: /JavaScript heap out of memory/,
    explain: (_, input) => ({
      because: "Node's heap is full",
      culprit: `JavaScript heap out of memory${heapOption(input)}`,
      advice: [
        'Raise the memory limit (Node sizes its heap by it), or set `NODE_OPTIONS=--max-old-space-size` to about three quarters of it. If it then only takes longer until it fails, look for a leak.',
      ],
      corrections: largerHeap(input) ?? raiseMemory(input, 'Node sizes its heap by the limit'),
      whereToLook: 'the memory limit, `NODE_OPTIONS`, and a heap snapshot',
    }),
  },
];
