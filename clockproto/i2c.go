package clockproto

import (
	"bytes"
	"errors"
	"fmt"
)

// Addresses on the I2C bus, as they stand in the byte stream (section 10.3).
const (
	I2CAll   byte = 0x00 // general call: times, buttons, hello
	I2CClock byte = 0x10
	I2CHost  byte = 0x20
	I2CAwake byte = 0x50 // the clock's address while it sleeps
)

// An I2CType is the fourth byte of a message on the I2C bus. The zero type is
// invalid.
type I2CType byte

// The types, those of the clock first.
const (
	TypeAck         I2CType = 0x01
	TypeHello       I2CType = 0x02
	TypeTime        I2CType = 0x04
	TypeButtons     I2CType = 0x05
	TypeDisplay     I2CType = 0x06
	TypeEndDisplay  I2CType = 0x07
	TypeSetAndRun   I2CType = 0x0A
	TypeState       I2CType = 0x0B
	TypeWake        I2CType = 0x0D
	TypeTakeControl I2CType = 0x0F
)

// String names the type.
func (t I2CType) String() string {
	switch t {
	case TypeAck:
		return "i2c ack"
	case TypeHello:
		return "i2c hello"
	case TypeTime:
		return "i2c time"
	case TypeButtons:
		return "i2c buttons"
	case TypeDisplay:
		return "i2c display"
	case TypeEndDisplay:
		return "i2c end display"
	case TypeSetAndRun:
		return "i2c set and run"
	case TypeState:
		return "i2c state"
	case TypeWake:
		return "i2c wake"
	case TypeTakeControl:
		return "i2c take control"
	}
	return fmt.Sprintf("i2c type %02x", byte(t))
}

// Lengths of whole messages.
const (
	i2cHeaderLen    = 4
	i2cMinLen       = i2cHeaderLen + 1
	i2cMaxLen       = 0xFF
	i2cAckLen       = 0x08
	i2cHelloLen     = 0x07
	i2cTimeLen      = 0x18
	i2cButtonsLen   = 0x0A
	i2cDisplayLen   = 0x15
	i2cSetAndRunLen = 0x0C
	i2cStateLen     = 0x06
)

// i2cLen returns the length of a message of a known type, and zero for an
// unknown one.
func (t I2CType) i2cLen() int {
	switch t {
	case TypeAck:
		return i2cAckLen
	case TypeHello:
		return i2cHelloLen
	case TypeTime:
		return i2cTimeLen
	case TypeButtons:
		return i2cButtonsLen
	case TypeDisplay:
		return i2cDisplayLen
	case TypeSetAndRun:
		return i2cSetAndRunLen
	case TypeState:
		return i2cStateLen
	case TypeWake, TypeEndDisplay, TypeTakeControl:
		return i2cMinLen
	}
	return 0
}

// An I2C is one message on the I2C bus between a DGT3000 and its host: header,
// body and CRC. ParseI2C checks it; [I2C.Message] reads the body.
type I2C struct {
	Dest, Source byte
	Type         I2CType
	Body         []byte // at most 250 bytes
}

// Errors of ParseI2C and of the body.
var (
	ErrI2CLength = errors.New("wrong length")
	ErrI2CSum    = errors.New("wrong crc")
	ErrI2CBody   = errors.New("impossible content")
)

// ParseI2C reads one whole message. The body has its own memory.
func ParseI2C(b []byte) (I2C, error) {
	if len(b) < i2cMinLen || int(b[2]) != len(b) {
		return I2C{}, fmt.Errorf("i2c message % x: %w", b, ErrI2CLength)
	}
	end := len(b) - 1
	if sum := i2cSum(b[:end]); sum != b[end] {
		return I2C{}, fmt.Errorf("i2c message: crc %02x, not %02x: %w", b[end], sum, ErrI2CSum)
	}
	t := I2CType(b[3])
	if n := t.i2cLen(); n != 0 && n != len(b) {
		return I2C{}, fmt.Errorf("%v: %d bytes, not %d: %w", t, len(b), n, ErrI2CLength)
	}
	return I2C{Dest: b[0], Source: b[1], Type: t, Body: bytes.Clone(b[i2cHeaderLen:end])}, nil
}

// AppendTo appends the whole message with its CRC. A body that does not fit is
// cut.
func (m I2C) AppendTo(dst []byte) []byte {
	i := len(dst)
	body := m.Body[:min(len(m.Body), i2cMaxLen-i2cMinLen)]
	dst = append(dst, m.Dest, m.Source, byte(i2cMinLen+len(body)), byte(m.Type))
	dst = append(dst, body...)
	return append(dst, i2cSum(dst[i:]))
}

// i2cSum is the CRC of a message without its last byte. The address of a clock
// that sleeps counts as that of one that is awake (10 20 05 0d gives 46).
func i2cSum(b []byte) byte {
	dest := b[0]
	if dest == I2CAwake {
		dest = I2CClock
	}
	return crc8(crc8(0, dest), b[1:]...)
}

// crc8 goes on with the CRC-8 of polynomial 07, initial value 0, no reflection
// and no final xor.
func crc8(crc byte, b ...byte) byte {
	for _, c := range b {
		crc ^= c
		for range 8 {
			if crc&0x80 != 0 {
				crc = crc<<1 ^ 0x07
			} else {
				crc <<= 1
			}
		}
	}
	return crc
}
