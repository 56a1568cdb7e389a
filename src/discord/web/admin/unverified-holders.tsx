import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../ui/api/api-client.ts';
import { readAnswer } from '../../../ui/api/answer-schema.ts';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { unverifiedHolders } from './discord-answers.ts';
import { guildPath } from './discord-calls.ts';
import { NameList } from './name-list.tsx';
import { whole } from './server-words.ts';

/** Discord is asked for every member of the server. */
const staleMs = 60_000;

const useUnverifiedHolders = (guildId: string) =>
  useQuery({
    staleTime: staleMs,
    networkMode: 'always',
    queryKey: [`${guildPath(guildId)}/unverified-holders`],
    queryFn: ({ signal }) => readAnswer(`${guildPath(guildId)}/unverified-holders`, unverifiedHolders, signal),
  });

/** Rulings R6: those whom no figure of verified members shows. Nothing where there are none, or none are known. */
export function UnverifiedHolders({ guildId }: { readonly guildId: string }) {
  const query = useUnverifiedHolders(guildId);
  const { data, error } = query;
  // Rulings R2: what they add may not be there at all.
  if (error instanceof ApiError && error.status === 404) return null;
  if (data == null || data.count === null || data.count === 0)
    return <QueryTrouble text="Failed to load the role holders without a wallet" query={query} />;
  const { count, isComplete, members } = data;
  const counted = `${isComplete === false ? 'At least ' : ''}${whole(count)} ${count === 1 ? 'member has' : 'members have'}`;
  return (
    <section className="mt-6" aria-labelledby="discord-unverified">
      <h3 id="discord-unverified" className="font-bold">
        {counted} the role and no linked wallet
      </h3>
      <p className="mt-1 text-quiet">
        They got it from another bot or by hand, so this bot neither checks them nor takes the role away.
      </p>
      <NameList title="Who they are" members={members ?? []} total={count} />
    </section>
  );
}
