import { helpAnswer } from './texts/start-texts.ts';
import type { CommandHandler } from './command.ts';

/** Every command with an example. */
export const help: CommandHandler = ({ place, answer }) => answer(helpAnswer(place));
