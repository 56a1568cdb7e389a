import { Fact } from '../../../ui/fact.tsx';
import type { DiscordGuild } from './discord-answers.ts';
import { channelInWords, graceInWords, isConfigured, type NamedPlace, roleInWords, whole } from './server-words.ts';

/** Rulings R5: what stands in the bot's way in a server, each with the exact fix; role and channel by name. */
export function ServerDetails({ guild }: { readonly guild: DiscordGuild }) {
  const { config, problems, verifiedCount, id } = guild;
  return (
    <div className="pb-2">
      {problems !== null && <Problems problems={problems} isConfigured={isConfigured(guild)} />}
      <dl className="mt-3 grid gap-x-10 lg:grid-cols-2">
        <Fact name="Role">
          <Place place={roleInWords(guild)} />
        </Fact>
        <Fact name="Channel">
          <Place place={channelInWords(guild)} />
        </Fact>
        {config !== null && config.nftContract !== '' && (
          <Fact name="NFT contract">
            <code>{config.nftContract}</code>
          </Fact>
        )}
        {config !== null && config.graceMinutes !== null && (
          <Fact name="Grace period">{graceInWords(config.graceMinutes)}</Fact>
        )}
        {verifiedCount !== null && <Fact name="Verified">{whole(verifiedCount)}</Fact>}
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
  readonly problems: NonNullable<DiscordGuild['problems']>;
  readonly isConfigured: boolean;
}

function Problems({ problems, isConfigured: hasContract }: ProblemsProps) {
  if (problems.length === 0) {
    return (
      <p className="text-quiet">
        {hasContract ? 'No problems found.' : 'No collection is configured here yet, so nobody gets a role.'}
      </p>
    );
  }
  return (
    <ul className="space-y-3" aria-label="Problems">
      {problems.map(({ code, message, fix }, index) => (
        <li key={code ?? index} className="border-l-4 border-danger pl-4 wrap-anywhere">
          <p className="font-semibold">{message}</p>
          {fix !== null && <p className="text-quiet">{fix}</p>}
        </li>
      ))}
    </ul>
  );
}
