import type { Correction } from '../../corrections/correction.ts';
import { type RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { withOption } from '../../corrections/settings/set-option.ts';
import { phraseIn, plainWords, quotedLine } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';

function shorterContext(input: RuleInput, length: string): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  return [
    {
      title: `Set \`--max-model-len\` to ${code(length)}`,
      changes: [withOption(place, '--max-model-len', length, 'the log names this length')],
      confidence: 'likely',
      explanation: 'Longer requests are then refused. If they must be served, the model needs a larger card.',
      mirrorable: true,
    },
  ];
}

/** Model servers: their graphics card and their context length. */
export const modelServerSignatures: readonly Signature[] = [
  {
    id: 'gpu',
    hints: ['cuda', 'nvml', 'nvidia', 'no gpu', 'gpus are available', 'rocm', 'hip out of memory', 'hip error'],
    pattern:
      /(?<full>(?:CUDA|HIP) out of memory|CUDA_ERROR_OUT_OF_MEMORY)|CUDA driver version is insufficient|no CUDA-capable device|(?:CUDA|HIP) error: .{1,120}|Found no NVIDIA driver|(?:could not|couldn't|failed to|unable to) (?:load|open|initiali[sz]e).{0,30}(?:NVML|libcuda|libnvidia)|no (?:CUDA )?GPUs? (?:are )?(?:found|available|detected)/i,
    explain: ({ full }, _, line) => ({
      because: full ? `the memory of its graphics card is full: ${quotedLine(line)}` : `it cannot use a graphics card: ${quotedLine(line)}`,
      culprit: phraseIn(line),
      advice: [
        full
          ? 'Use a smaller batch or model, or a larger card. Look for other programs on the same card.'
          : 'Request a card (`resources.limits["nvidia.com/gpu"]`) on nodes whose driver is new enough for the CUDA version of the image.',
      ],
      whereToLook: full
        ? '`nvidia-smi` on the node'
        : "the limits of the container, `nvidia-smi` on the node, and the image's CUDA version",
    }),
  },
  {
    // vLLM measures what is left of the card before it serves, and names the length that fits.
    id: 'model-length',
    hints: ['stored in kv cache (', 'estimated maximum model length is', 'is greater than the derived max_model_len'],
    pattern:
      /stored in KV cache \((?<fits>\d{2,8})\)|estimated maximum model length is (?<estimate>\d{2,8})|is greater than the derived max_model_len \([^)]{0,80}?=(?<derived>\d{2,8})/,
    explain: ({ fits, estimate, derived }, input, line) => {
      const length = fits ?? estimate ?? derived ?? '';
      return {
        because: derived
          ? `the model knows no context longer than ${code(length)}`
          : `the context of the model is longer than what fits into the memory of the card (${code(length)})`,
        culprit: `max_model_len: ${plainWords(line)
          .replace(/^.*?(?=[Tt]he model|[Tt]o serve|User-spec)/, '')
          .slice(0, 160)}`,
        advice: [
          derived
            ? `Set \`--max-model-len\` to ${code(length)} at most.`
            : `Set \`--max-model-len\` to ${code(length)} at most, or give vLLM more of the card (\`--gpu-memory-utilization\`), or a larger card.`,
        ],
        corrections: shorterContext(input, length),
        whereToLook: "the container's `args`, and the memory of the card",
      };
    },
  },
];
