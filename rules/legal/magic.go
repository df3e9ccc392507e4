package legal

// Magic bitboards: (blockers on the rays × a multiplier) >> shift is a hash of the blockers that indexes a table of the
// attacked squares. The table has 107,648 entries (841 KiB) and is filled at init, which takes about 4 ms.

// slider is the lookup of one piece on one square.
type slider struct {
	mask   bitboard // the squares whose occupation matters: the rays without their last square
	magic  bitboard
	offset uint32
	shift  uint8
}

const slidingEntries = 102400 + 5248

var (
	rookSlider   [64]slider
	bishopSlider [64]slider
	sliding      [slidingEntries]bitboard
)

func rookAttacks(s Square, occupied bitboard) bitboard {
	m := &rookSlider[s&63]
	return sliding[m.offset+uint32((occupied&m.mask)*m.magic>>(m.shift&63))]
}

func bishopAttacks(s Square, occupied bitboard) bitboard {
	m := &bishopSlider[s&63]
	return sliding[m.offset+uint32((occupied&m.mask)*m.magic>>(m.shift&63))]
}

func fillMagics() {
	offset := fillSliders(&rookSlider, &rookMagics, rookSteps, 0)
	fillSliders(&bishopSlider, &bishopMagics, bishopSteps, offset)
}

func fillSliders(table *[64]slider, magics *[64]bitboard, steps [4][2]int, offset uint32) uint32 {
	for s := A1; s < NoSquare; s++ {
		mask := innerRays(s, steps)
		m := slider{mask: mask, magic: magics[s], offset: offset, shift: uint8(64 - mask.count())}
		// The loop visits every subset of the mask by the carry trick: the next subset is (subset - mask) & mask.
		for subset := bitboard(0); ; {
			sliding[offset+uint32(subset*m.magic>>m.shift)] = walkRays(s, steps, subset)
			subset = (subset - mask) & mask
			if subset == 0 {
				break
			}
		}
		table[s] = m
		offset += 1 << mask.count()
	}
	return offset
}

// innerRays leaves out the last square of each ray: a piece there hides no square.
func innerRays(s Square, steps [4][2]int) (b bitboard) {
	for _, step := range steps {
		file, rank := s.File()+step[0], s.Rank()+step[1]
		for SquareOf(file+step[0], rank+step[1]).valid() {
			b |= bit(SquareOf(file, rank))
			file, rank = file+step[0], rank+step[1]
		}
	}
	return b
}

// The multipliers come from a random search: numbers with few bits, tried until no two sets of blockers with different
// attacks share an entry. TestSlidingAttacks proves them.
var rookMagics = [64]bitboard{
	0x0080002040008014, 0x0440100020004004, 0x1100090010200041, 0x2100100021000408,
	0x4a00020090080420, 0x0180040002000580, 0x8280018002000500, 0x0100060920884100,
	0x0840800080400024, 0x8004802001854004, 0x0011002003024010, 0x0502000816002041,
	0x0005000800241101, 0x0001000400030008, 0x0009001401000200, 0x4012800380004100,
	0x0000888000400020, 0x4020004000205001, 0xc004820010402200, 0x00001b0030002100,
	0x0100808004000800, 0x0000808004000200, 0x0011040002081001, 0x046402000054850c,
	0x01502080800c4005, 0x00200241c0007002, 0x0000200080100080, 0x8810080080801000,
	0x4804028080040800, 0x0004004040020100, 0x0000114400120890, 0x4248040600004885,
	0x2020804000801020, 0x0820003000404000, 0x4242042082001040, 0x0002004012002008,
	0x4001005005002800, 0x0964004100400200, 0x2001020001010004, 0x0000004182000c13,
	0x2000400080218004, 0x0004500020024000, 0x1802008010420020, 0x0020100842020020,
	0x0d58000411010008, 0x8102000411020008, 0x00012221101c0048, 0x0004840040a20001,
	0x0084208000410300, 0x0aa0012a40128180, 0x8220021000208480, 0x40100011000c2100,
	0xd020080080040080, 0x4081000804000300, 0x4402000804130600, 0x1000204100840200,
	0x0003088000102241, 0x1001042088514001, 0x0400200100100c41, 0x0990042008100101,
	0x1002011008200402, 0x0001000208040001, 0x200a024800900104, 0x810282c081142402,
}

var bishopMagics = [64]bitboard{
	0x0208208108460080, 0x4082524a120e0010, 0x8021020400444880, 0x10480a0020000004,
	0x0002021001000000, 0x00020104a2004100, 0x0142011002100308, 0xc101802821042010,
	0x2120200401182101, 0x010050509e004a40, 0x1200040c2c21c080, 0xb000041042008008,
	0x0a80040420080244, 0x08008a0a0b200000, 0x0000220150280440, 0x2244220101080300,
	0x0020008420622200, 0x0950000a04694400, 0x200200100c011024, 0x8020800802084010,
	0x0804020a10220000, 0x5412004d01008200, 0x0000440a0802880c, 0x2801000218420202,
	0x0484044290200840, 0x00c188400408080c, 0x2061100001040020, 0x1000808008020002,
	0x5001010000104004, 0x100101000e0185a8, 0x2040809404240400, 0x8800860000804410,
	0x802108c003483000, 0x1d40922050704401, 0x4286402810100040, 0x0040020080880080,
	0x08a2108400020020, 0x2000881480011000, 0x0104488880040400, 0x8802240021044200,
	0x0032411040108800, 0x05a20a1014088200, 0x0902110801000805, 0x0004810c2400a800,
	0x0040500200822810, 0x0434808802010140, 0xc021212102010100, 0x4402080200280080,
	0x46120b0412400001, 0x6000840421050440, 0x2002144208040200, 0x001431c820880408,
	0x20300410020622a5, 0x0044669408120000, 0xc030201914008600, 0x01500440a0820441,
	0x0000203202104000, 0x008002020a016408, 0x1820000e02114400, 0x4100000a01049800,
	0x0002200040082200, 0x2001000810410204, 0x4000420401041512, 0x6002204405024100,
}
