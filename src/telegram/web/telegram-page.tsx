import family from 'virtual:artwork/family.svg';
import azurePulse from 'virtual:artwork/rock-azure-pulse.svg';
import charcoalSlate from 'virtual:artwork/rock-charcoal-slate.svg';
import powderBlue from 'virtual:artwork/rock-powder-blue.svg';
import tracker from 'virtual:artwork/tracker.svg';
import { Badge } from '../../ui/badge.tsx';
import { ExternalLinkButton } from '../../ui/button.tsx';
import { Card, NumberedSteps } from '../../ui/card.tsx';
import { SectionHeading, StrataDivider } from '../../ui/section-heading.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { Tabs } from '../../ui/address-bar.tsx';
import { mintPercent } from '../cards/mint-progress.ts';
import { bestPractices, botCommands, botQuestions, exampleNotifications, setupSteps, statements } from './bot-guide.ts';

/** Specification 2, Public bot information page. */
export const TelegramPage = () => (
  <>
    <Hero />
    <StrataDivider />
    <SetupGuide />
    <StrataDivider />
    <section aria-labelledby="examples" className="wrap py-12 sm:py-16">
      <SectionHeading id="examples" title="What your group will see">
        The first line says what happened and for how much. The rest can wait.
      </SectionHeading>
      <ExampleNotifications />
    </section>
    <StrataDivider />
    <section aria-labelledby="reference" className="wrap py-12 sm:py-16">
      <SectionHeading id="reference" title="Questions and commands" className="mb-8" />
      <Tabs
        label="Questions and commands"
        tabs={[
          { value: 'questions', label: 'Frequently Asked Questions', content: <BotQuestions /> },
          { value: 'commands', label: 'Bot Commands', content: <BotCommands /> },
        ]}
      />
    </section>
    <StrataDivider />
    <BestPractices />
  </>
);

function Hero() {
  const { linkBot } = useSiteConfig();
  return (
    <div className="wrap pt-12 pb-12 sm:pt-20">
      <Card tone="glow" className="grid items-center gap-x-12 gap-y-8 sm:p-12 lg:grid-cols-[1fr_20rem]">
        <div>
          <h1 className="title-1">NFT Activity Tracker</h1>
          <p className="mt-4 max-w-2xl text-lg text-quiet">
            A lookout for your Telegram group. It watches one NFT collection on SUI and calls out every mint, sale,
            listing and bid, so that nobody has to stand on the hill all night.
          </p>
          <div className="mt-8">
            <ExternalLinkButton href={linkBot} look="torch">
              Open the bot in Telegram
            </ExternalLinkButton>
          </div>
          <NotOpenYet />
        </div>
        <img src={tracker} alt="" width={400} height={200} className="mx-auto h-auto w-full max-w-80" />
      </Card>
      <dl className="mt-8 grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
        {statements.map((statement) => (
          <div key={statement.figure}>
            <dt className="title-3">{statement.figure}</dt>
            <dd className="mt-2 text-quiet">{statement.text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The home page calls the bot 'UNDER DEVELOPMENT' (specification 2); visitors who come from elsewhere read it here. */
const NotOpenYet = () => (
  <p className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-quiet">
    <Badge tone="torch">Under development</Badge>
    <span>
      Coming soon: the bot is being tried out before its launch. Anyone who opens it now sees what this page describes,
      and some of it may still change.
    </span>
  </p>
);

const SetupGuide = () => (
  <section aria-labelledby="setup" className="wrap py-12 sm:py-16">
    <SectionHeading id="setup" title="Set it up in four steps" />
    <NumberedSteps steps={setupSteps} />
    <BidNotice />
  </section>
);

const BidNotice = () => (
  <Card tone="raised" className="mt-10">
    <h3 className="title-3">Two kinds of bid event</h3>
    <p className="mt-3 max-w-3xl">
      <code className="whitespace-nowrap">accept-bid</code> and <code className="whitespace-nowrap">solo-bid</code> are
      told apart: <code className="whitespace-nowrap">solo-bid</code> is a bid on one particular NFT.{' '}
      <code className="whitespace-nowrap">accept-bid</code> means an owner took a bid: the NFT changed hands, so it goes
      out as a sale when sales or bids are tracked, and only once.
    </p>
  </Card>
);

const pictures = { 'Azure Pulse': azurePulse, 'Charcoal Slate': charcoalSlate, 'Powder Blue': powderBlue } as const;

/** Specification 2: example notification cards for mint, sale, listing and summary. */
const ExampleNotifications = () => (
  <ul className="mt-8 grid gap-6 sm:grid-cols-2 xl:grid-cols-4">
    {exampleNotifications.map((example) => (
      <Card key={example.kind} as="li" className="flex flex-col">
        <ExampleBody example={example} />
      </Card>
    ))}
  </ul>
);

const ExampleBody = ({ example }: { readonly example: (typeof exampleNotifications)[number] }) => (
  <>
    <p className="flex items-center justify-between gap-4 text-sm text-quiet">
      <span className="font-semibold">{example.kind}</span>
      <Badge>Example</Badge>
    </p>
    <img
      src={example.color === null ? family : pictures[example.color]}
      alt={example.color === null ? 'One rock of each color' : `A rock in ${example.color}`}
      width={160}
      height={128}
      className="mt-4 h-32 w-full object-contain"
      loading="lazy"
    />
    <h3 className="mt-4 text-lg leading-snug font-bold">{example.headline}</h3>
    <dl className="mt-3 space-y-1 text-sm">
      {example.facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4">
          <dt className="text-quiet">{name}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
    {example.progress === null ? null : <Progress {...example.progress} />}
    <p className="mt-auto pt-4 text-sm text-quiet">{example.links}</p>
  </>
);

function Progress({ minted, maxSupply }: { readonly minted: number; readonly maxSupply: number }) {
  const percent = mintPercent(minted, maxSupply);
  return (
    <div className="mt-3 text-sm">
      <p className="flex justify-between gap-4">
        <span>
          {minted} / {maxSupply} minted
        </span>
        <span>{percent}%</span>
      </p>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="mt-1 block h-2 w-full" aria-hidden="true">
        <rect width="100" height="6" className="fill-line" />
        <rect width={percent} height="6" className="fill-azure-pulse" />
      </svg>
    </div>
  );
}

/** The tab 'Frequently Asked Questions': any number of answers may be open. */
const BotQuestions = () =>
  botQuestions.map(({ question, answer }) => (
    <details key={question} className="group border-b border-line">
      <summary className="flex min-h-14 cursor-pointer items-center justify-between gap-4 py-3 font-bold">
        <h3>{question}</h3>
        <svg
          viewBox="0 0 12 12"
          className="w-3.5 flex-none text-ember transition-[rotate] group-open:rotate-180"
          aria-hidden="true"
        >
          <path d="M1.5 4 6 8.5 10.5 4" fill="none" stroke="currentColor" strokeWidth="1.6" />
        </svg>
      </summary>
      <p className="max-w-[65ch] pb-5 text-quiet">{answer}</p>
    </details>
  ));

const BotCommands = () => (
  <dl className="divide-y divide-line">
    {botCommands.map(({ name, usage, text, who }) => (
      <div key={name} className="grid gap-x-8 gap-y-1 py-4 md:grid-cols-[18rem_1fr]">
        <dt className="flex flex-wrap items-center gap-3">
          <code className="font-bold wrap-anywhere">{usage}</code>
        </dt>
        <dd className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
          <span className="max-w-xl flex-1 basis-80 text-quiet">{text}</span>
          <Badge tone={who === 'Anyone' ? 'quiet' : 'torch'}>{who}</Badge>
        </dd>
      </div>
    ))}
  </dl>
);

const BestPractices = () => (
  <section aria-labelledby="best-practices" className="wrap py-12 sm:py-16">
    <SectionHeading id="best-practices" title="Best practices" />
    <ul className="mt-8 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
      {bestPractices.map((tip) => (
        <li key={tip.title}>
          <h3 className="text-lg font-bold">{tip.title}</h3>
          <p className="mt-1 text-quiet">{tip.text}</p>
        </li>
      ))}
    </ul>
  </section>
);
