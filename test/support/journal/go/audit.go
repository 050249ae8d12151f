// Audits a published log with Go's checksum database packages (golang.org/x/mod/sumdb), which share no code with the program:
//
//	audit DIR VERIFIER-KEY [OLDER-CHECKPOINT...]
//	audit -note VERIFIER-KEY NOTE
//
// Every record is proved against the signed root, every entry is hashed and compared with its leaf, and every older checkpoint is
// shown to be a beginning of the log. The second form prints the text of any other note that the log's key signed.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

func check(err error, what string) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

// A checkpoint has three lines: origin, size, root. (tlog.ParseTree wants the checksum database's own first line.)
func open(file string, verifier note.Verifier) tlog.Tree {
	text, err := os.ReadFile(file)
	check(err, file)
	opened, err := note.Open(text, note.VerifierList(verifier))
	check(err, file)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		check(fmt.Errorf("origin %q", lines[0]), file)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err, file)
	root, err := tlog.ParseHash(lines[2])
	check(err, file)
	return tlog.Tree{N: size, Hash: root}
}

// directory reads tiles from files; tlog.Tile's path has the height, which tlog-tiles leaves out: tile/8/L/N is tile/L/N there.
type directory string

func (d directory) Height() int                         { return height }
func (d directory) SaveTiles(_ []tlog.Tile, _ [][]byte) {}

// read falls back on the full tile, which begins with every partial one that it replaced.
func (d directory) read(tile tlog.Tile, kind string) ([]byte, error) {
	path := strings.Replace(tile.Path(), "tile/8/"+strconv.Itoa(tile.L), "tile/"+kind, 1)
	data, err := os.ReadFile(filepath.Join(string(d), path))
	if os.IsNotExist(err) && tile.W < 1<<height {
		tile.W = 1 << height
		return d.read(tile, kind)
	}
	return data, err
}

func (d directory) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, err := d.read(tile, strconv.Itoa(tile.L))
		if err != nil {
			return nil, err
		}
		all = append(all, data[:tile.W*tlog.HashSize])
	}
	return all, nil
}

// entry cuts the i-th entry of a log of this size out of its bundle.
func (d directory) entry(i int64, size int64) []byte {
	n := i >> height
	width := size - n<<height
	if width > 1<<height {
		width = 1 << height
	}
	bundle, err := d.read(tlog.Tile{H: height, L: 0, N: n, W: int(width)}, "entries")
	check(err, "bundle")
	for at := i & (1<<height - 1); at > 0; at-- {
		bundle = bundle[2+binary.BigEndian.Uint16(bundle):]
	}
	return bundle[2 : 2+binary.BigEndian.Uint16(bundle)]
}

func main() {
	verifier, err := note.NewVerifier(os.Args[2])
	check(err, "verifier key")
	if os.Args[1] == "-note" {
		text, err := os.ReadFile(os.Args[3])
		check(err, "note")
		opened, err := note.Open(text, note.VerifierList(verifier))
		check(err, "note")
		fmt.Print(opened.Text)
		return
	}
	log := directory(os.Args[1])
	tree := open(filepath.Join(string(log), "checkpoint"), verifier)
	hashes := tlog.TileHashReader(tree, log)
	for i := int64(0); i < tree.N; i++ {
		leaf, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, i)})
		check(err, fmt.Sprintf("leaf %d", i))
		if tlog.RecordHash(log.entry(i, tree.N)) != leaf[0] {
			check(fmt.Errorf("it does not hash to its leaf"), fmt.Sprintf("entry %d", i))
		}
		proof, err := tlog.ProveRecord(tree.N, i, hashes)
		check(err, fmt.Sprintf("proof %d", i))
		check(tlog.CheckRecord(proof, tree.N, tree.Hash, i, leaf[0]), fmt.Sprintf("record %d", i))
	}
	for _, file := range os.Args[3:] {
		older := open(file, verifier)
		proof, err := tlog.ProveTree(tree.N, older.N, hashes)
		check(err, file)
		check(tlog.CheckTree(proof, tree.N, tree.Hash, older.N, older.Hash), file)
	}
	fmt.Printf("%d records, %d older checkpoints\n", tree.N, len(os.Args)-3)
}
