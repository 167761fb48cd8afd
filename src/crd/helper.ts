/** Names that people give to helpers of the main program. */
const BESIDE =
  /prox(?:y|ies)|sidecar|agent|envoy|istio|linkerd|mesh|fluent|logg?(?:er|ing|s|-shipper)?\b|shipper|exporter|metrics|otel|collector|tunnel|vault|dapr/i;

/** Whether a container is called like a helper of the main program. */
export const isHelperName = (name: string): boolean => BESIDE.test(name);

/** Whether a line says that a helper has begun work that does not end: `==> Vault Agent started!`. */
export const saysHelperStarted = (line: string): boolean =>
  /\b(?:stream processor|agent|collector|daemon|exporter|proxy|engine|watcher) (?:has |is )?(?:started|running)\b|\bworker #\d{1,3} started\b/i.test(
    line,
  );
