import { Button, NativeSelect, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Rights as Answer } from '../../contract/access.ts';
import { pathsAddress } from '../components/access-address.ts';
import { useAddress, useScope } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { queryOf } from '../components/query-of.ts';
import { Row, Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import classes from './access.module.css';
import { byBinding, nameOf, type Subject } from './path-text.ts';
import { GrantedBy, MissingRights } from './granted-by.tsx';

const KINDS: readonly Subject['kind'][] = ['ServiceAccount', 'User', 'Group'];
const kindOf = (kind: string | undefined): Subject['kind'] => KINDS.find((one) => one === kind) ?? 'ServiceAccount';

/** Answers "What can … do?". The question is in the address. */
export function Rights() {
  const scope = useScope();
  const [{ kind: asKind, name = '', groups }] = useAddress();
  const kind = kindOf(asKind);
  const asked = { kind, name, ...(kind === 'ServiceAccount' && { namespace: scope }), ...(kind === 'User' && { groups }) };
  const isAsked = name !== '' && (kind !== 'ServiceAccount' || scope !== undefined);
  const { data, error, refetch } = useQuery({
    queryKey: ['access', 'rights', asked],
    queryFn: ({ signal }) => ask<Answer>(`/api/access/rights${queryOf(asked)}`, { signal }),
    enabled: isAsked,
  });
  return (
    <section aria-label="What can">
      <RightsForm key={JSON.stringify(asked)} />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {isAsked && !data && !error && <Skeleton height={120} />}
      {data && isAsked && (
        <Found answer={data} subject={{ kind, name, ...(kind === 'ServiceAccount' && scope !== undefined && { namespace: scope }) }} />
      )}
    </section>
  );
}

/** The question as a sentence with gaps. */
export function RightsForm() {
  const scope = useScope();
  const [asked, change] = useAddress();
  const [kind, setKind] = useState(kindOf(asked['kind']));
  const [name, setName] = useState(asked['name'] ?? '');
  const [place, setPlace] = useState(scope ?? '');
  const [groups, setGroups] = useState(asked['groups'] ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const more =
      kind === 'ServiceAccount' ? { namespace: place.trim(), groups: undefined } : { groups: kind === 'User' ? groups.trim() : undefined };
    change({ ask: 'rights', kind, name: name.trim(), ...more }, 'push');
  };
  return (
    <form className={classes['question']} onSubmit={submit} aria-label="What somebody can do">
      <span>What can</span>
      <NativeSelect
        size="xs"
        aria-label="Kind"
        data={[...KINDS]}
        value={kind}
        onChange={(event) => setKind(kindOf(event.currentTarget.value))}
      />
      <TextInput
        size="xs"
        aria-label="Name"
        placeholder={kind === 'Group' ? 'system:authenticated' : kind === 'User' ? 'ann' : 'default'}
        required
        maxLength={253}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        w={200}
      />
      {kind === 'ServiceAccount' && (
        <>
          <span>of namespace</span>
          <TextInput
            size="xs"
            aria-label="Of namespace"
            required
            maxLength={63}
            value={place}
            onChange={(event) => setPlace(event.currentTarget.value)}
            w={160}
          />
        </>
      )}
      {kind === 'User' && (
        <>
          <span>in groups</span>
          <TextInput
            size="xs"
            aria-label="In groups"
            placeholder="none, or dev,ops"
            maxLength={1024}
            value={groups}
            onChange={(event) => setGroups(event.currentTarget.value)}
            w={160}
          />
        </>
      )}
      <span>do?</span>
      <Button type="submit" size="xs">
        Ask
      </Button>
    </form>
  );
}

const rightsText = (bindings: number): string =>
  bindings === 0 ? 'can do nothing' : `has rights through ${bindings === 1 ? 'one binding' : `${bindings} bindings`}`;

function Found({ answer: { rights, missing_rights: missing }, subject }: { answer: Answer; subject: Subject }) {
  const found = byBinding(rights);
  return (
    <>
      <MissingRights rights={missing} />
      <p className={classes['count']} role="status">
        <bdi>{nameOf(subject)}</bdi> {rightsText(found.length)}. <Link {...pathsAddress(subject)}>Which paths begin at it?</Link>
      </p>
      {found.length === 0 ? (
        <EmptyState title="No rights">No binding names it, or a group that it is in.</EmptyState>
      ) : (
        <Rows label="Its rights">
          {found.map(({ key, namespace, through, rules }) => (
            <Row key={key} title={namespace === '*' ? 'In the whole cluster' : `In namespace ${namespace}`}>
              <ul className={classes['rules']}>
                {rules.map((rule) => (
                  <li key={rule}>{rule}</li>
                ))}
              </ul>
              <GrantedBy through={[through]} who={subject} />
            </Row>
          ))}
        </Rows>
      )}
    </>
  );
}
