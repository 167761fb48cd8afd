import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { EscalationPaths } from '../../contract/access.ts';
import { useAddress, useScope } from '../components/address.ts';
import { CopyButton } from '../components/copy.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Notice } from '../components/notice.tsx';
import { queryOf } from '../components/query-of.ts';
import { ask } from '../live/request.ts';
import classes from './access.module.css';
import { chainOf, keyOf, nameOf, type Path, removalOf, targetText } from './path-text.ts';
import { GrantedBy, MissingRights } from './granted-by.tsx';

const TARGETS = [
  { value: '', label: 'Anything' },
  { value: 'cluster-admin', label: 'cluster-admin' },
  { value: 'node', label: 'A node' },
  { value: 'secrets', label: 'Secrets' },
];
const FEW = 100;
const MOST = 1000;

/** The paths by which subjects can gain powers that no binding grants them. */
export function Paths() {
  const namespace = useScope();
  const [{ to = '', kind, name, most }, change] = useAddress();
  const limit = most === undefined ? FEW : MOST;
  const wish = { to: TARGETS.some(({ value }) => value === to) ? to : '', kind, name, namespace, limit: String(limit) };
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['access', 'paths', wish],
    queryFn: ({ signal }) => ask<EscalationPaths>(`/api/access/paths${queryOf(wish)}`, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label="Escalation paths" aria-busy={isFetching}>
      <div className={classes['filters']}>
        <Text size="sm" c="dimmed" component="span" id="access-to">
          To
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="access-to"
          data={TARGETS}
          value={wish.to}
          onChange={(value) => change({ to: value, open: undefined })}
        />
        {name !== undefined && (
          <Button size="compact-sm" variant="default" onClick={() => change({ kind: undefined, name: undefined })}>
            Of everybody, not only {kind} {name}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" loading={isFetching} onClick={() => void refetch()}>
          Search again
        </Button>
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Searching />}
      {data && <Found data={data} onMore={limit < MOST ? () => change({ most: 'yes' }) : undefined} />}
    </section>
  );
}

function Searching() {
  return (
    <div role="img" aria-label="Searching for escalation paths">
      {[1, 2, 3, 4].map((line) => (
        <Skeleton key={line} height={46} mb={8} />
      ))}
    </div>
  );
}

function Found({
  data: { total, paths, cut, left_out: leftOut, missing_rights: missing },
  onMore,
}: {
  data: EscalationPaths;
  onMore?: (() => void) | undefined;
}) {
  const [{ open }, change] = useAddress();
  const namespace = useScope();
  return (
    <>
      <MissingRights rights={missing} />
      {leftOut !== undefined && (
        <Notice tone="unsure">
          There are too many roles and bindings: of {leftOut.toLocaleString('en')} subjects not all paths were searched. podmend access
          paths --effort all takes the time that it needs.
        </Notice>
      )}
      {total === 0 ? (
        leftOut === undefined && (
          <EmptyState title="No escalation path">
            {namespace === undefined
              ? 'Nobody can gain rights that no binding gives them.'
              : `No ServiceAccount of namespace ${namespace} can gain rights that no binding gives it.`}
          </EmptyState>
        )
      ) : (
        <>
          {cut && <Cut cut={cut} total={total} />}
          <p className={classes['count']} role="status">
            {total === 1 ? 'One path' : `${total.toLocaleString('en')} paths`}
            {namespace !== undefined && `, of the ServiceAccounts of ${namespace}`}
          </p>
          <ul className={classes['paths']} aria-label="Paths">
            {paths.map((path, index) => {
              const key = keyOf(path);
              // The first path is open until a person chooses.
              const isOpen = open === undefined ? index === 0 : open === key;
              return <OnePath key={key} path={path} isOpen={isOpen} onToggle={() => change({ open: isOpen ? 'none' : key })} />;
            })}
          </ul>
          {total > paths.length &&
            (onMore ? (
              <Button variant="default" size="xs" mt="sm" onClick={onMore}>
                Show more
              </Button>
            ) : (
              <p className={classes['count']}>
                The first {paths.length.toLocaleString('en')} are shown. Choose a namespace or where the path ends to see others.
              </p>
            ))}
        </>
      )}
    </>
  );
}

function Cut({ cut: { binding, breaks }, total }: { cut: NonNullable<EscalationPaths['cut']>; total: number }) {
  const command = removalOf(binding);
  return (
    <div className={classes['cut']}>
      <Notice tone="plain" title="The best cut">
        <div className={classes['cut-body']}>
          <span>
            Without <bdi className={classes['object']}>{nameOf(binding)}</bdi>{' '}
            {breaks === total
              ? total === 1
                ? 'the path is gone.'
                : `all ${total.toLocaleString('en')} paths are gone.`
              : `${breaks} of ${total} paths are gone.`}{' '}
            Look who needs it before you remove it.
          </span>
          <CopyButton text={command}>Copy the command</CopyButton>
        </div>
      </Notice>
    </div>
  );
}

function OnePath({ path, isOpen, onToggle }: { path: Path; isOpen: boolean; onToggle(): void }) {
  const more = useId();
  const { subject, target, steps } = path;
  return (
    <li className={classes['path']}>
      <h2 className={classes['path-head']}>
        <button type="button" className={classes['toggle']} aria-expanded={isOpen} aria-controls={more} onClick={onToggle}>
          <bdi className={classes['who']}>{nameOf(subject)}</bdi>
          <span className={classes['arrow']} aria-hidden="true">
            →
          </span>
          <span className={classes['gain']} data-target={target}>
            {targetText(path)}
          </span>
          <span className={classes['length']}>{steps.length === 1 ? '1 step' : `${steps.length} steps`}</span>
        </button>
      </h2>
      <div id={more} hidden={!isOpen}>
        {isOpen && <Chain path={path} />}
      </div>
    </li>
  );
}

/** The identities of the path from top to bottom. Below each are its steps to the next one, with the bindings that grant them. */
function Chain({ path }: { path: Path }) {
  return (
    <ol className={classes['chain']}>
      {chainOf(path).map(({ who, steps }, index) => (
        <li key={`${String(index)} ${who}`} className={classes['link']}>
          <bdi className={classes['identity']}>{who}</bdi>
          {steps.map(({ does, through }, step) => (
            <div key={`${String(step)} ${does}`} className={classes['step']}>
              <span>{does}</span>
              <GrantedBy through={through} />
            </div>
          ))}
        </li>
      ))}
      <li className={classes['link']} data-end>
        <span className={classes['identity']}>has {targetText(path)}</span>
        {path.ends.length > 0 && (
          <div className={classes['step']}>
            <GrantedBy through={path.ends} verb="held through" />
          </div>
        )}
      </li>
    </ol>
  );
}
