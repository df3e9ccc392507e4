// Reads every .pgn of a directory with chessops, plays all moves and compares the number of moves with what the text says.
// Usage: node read.mjs DIR
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseComment, parsePgn, startingPosition } from "chessops/pgn";
import { parseSan } from "chessops/san";

const dir = process.argv[2];
let games = 0, moves = 0, clocks = 0, bad = 0;
const complain = (file, what) => {
  bad++;
  console.error(`${file}: ${what}`);
};
for (const file of readdirSync(dir).filter((name) => name.endsWith(".pgn")).sort()) {
  for (const game of parsePgn(readFileSync(join(dir, file), "utf8"))) {
    games++;
    const part = `${file} ${game.headers.get("Part") ?? ""}`;
    const started = startingPosition(game.headers);
    if (started.isErr) {
      complain(part, `start position ${game.headers.get("FEN")}: ${started.error.message}`);
      continue;
    }
    const pos = started.unwrap();
    for (const node of game.moves.mainline()) {
      const move = parseSan(pos, node.san);
      if (!move) {
        complain(part, `${node.san} is no legal move`);
        break;
      }
      pos.play(move);
      moves++;
      if (node.comments?.some((text) => parseComment(text).clock !== undefined)) clocks++;
    }
  }
}
console.log(`chessops: ${games} games, ${moves} moves, ${clocks} of them with a clock, ${bad} refused`);
if (bad > 0 || games === 0) process.exit(1);
