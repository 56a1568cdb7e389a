import { Fact } from '../../../web/ui/fact.tsx';
import type { DiscordGuild } from '../../contract.ts';
import { channelInWords, graceInWords, type NamedPlace, roleInWords, whole } from './server-words.ts';

/** Rulings R5: what stands in the bot's way in a server, each with the exact fix; role and channel by name. */
export function ServerDetails({ guild }: { readonly guild: DiscordGuild }) {
  const { config, problems, verifiedCount, id } = guild;
  return (
    <div className="pb-2">
      <Problems problems={problems} isConfigured={config !== undefined} />
      <dl className="mt-3 grid gap-x-10 lg:grid-cols-2">
        <Fact name="Role">
          <Place place={roleInWords(guild)} />
        </Fact>
        <Fact name="Channel">
          <Place place={channelInWords(guild)} />
        </Fact>
        {config !== undefined && (
          <>
            <Fact name="NFT contract">
              <code>{config.nftContract}</code>
            </Fact>
            <Fact name="Grace period">{graceInWords(config.graceMinutes)}</Fact>
          </>
        )}
        <Fact name="Verified">{whole(verifiedCount)}</Fact>
        <Fact name="Server ID">
          <code>{id}</code>
        </Fact>
      </dl>
    </div>
  );
}

const Place = ({ place: { text, inTrouble } }: { readonly place: NamedPlace }) => (
  <bdi className={inTrouble ? 'text-danger' : ''}>{text}</bdi>
);

interface ProblemsProps {
  readonly problems: DiscordGuild['problems'];
  readonly isConfigured: boolean;
}

function Problems({ problems, isConfigured }: ProblemsProps) {
  if (problems.length === 0) {
    return (
      <p className="text-quiet">
        {isConfigured ? 'No problems found.' : 'No collection is configured here yet, so nobody gets a role.'}
      </p>
    );
  }
  return (
    <ul className="space-y-3" aria-label="Problems">
      {problems.map(({ code, message, fix }) => (
        <li key={code} className="border-l-4 border-danger pl-4 wrap-anywhere">
          <p className="font-semibold">{message}</p>
          <p className="text-quiet">{fix}</p>
        </li>
      ))}
    </ul>
  );
}
